"""An argument in, supporting and refuting cases out."""
