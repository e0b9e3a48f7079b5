"""Clause search: contracts in, sections and subsections with their headings out, ranked for a query (ACORD)."""
