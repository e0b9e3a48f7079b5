"""A benchmark in ACORD's layout from experts' own ratings, by ACORD's labelling process (section 3, appendix A)."""
