"""lawng turns case law into inference."""

__version__ = "0.1.0"
