"""Fine-tuning of re-rankers on ACORD (F.2): the data, the grid, and the choice."""
