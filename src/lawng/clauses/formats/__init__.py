"""Files to the text of a contract: plain text, DOCX and PDF."""
