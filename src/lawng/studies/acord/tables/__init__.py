"""The tables of the study: how they are laid out, those of the paper, and our own."""
