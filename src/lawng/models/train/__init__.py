"""Training a stance model: readers of NLI data, what is trained on, the loss, the run, and what is written."""
