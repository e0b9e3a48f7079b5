"""What a query asks of a clause and what a clause says, by a glossary of contract drafting."""
