"""The text of a contract to its clauses: numbers and headings, the tree of sections, which of them is one clause."""
