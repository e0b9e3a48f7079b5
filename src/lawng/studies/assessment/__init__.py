"""The human assessment of a data set's labels: what is read, by whom, and what comes of it (LawngNLI, A.3)."""
