"""The page and its JSON twin."""
