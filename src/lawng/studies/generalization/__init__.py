"""Are long premises read well by models that were never fine-tuned on any? LawngNLI, 4.1, tables 5, 12 to 16."""
