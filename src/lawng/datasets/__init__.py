"""Data sets as pairs: NLI data, twins of candidates and statements, the side of a case, what is trained on."""
