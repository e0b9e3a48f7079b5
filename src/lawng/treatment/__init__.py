"""What later courts did to a case: a pair of cases to one label, with the sentence that says so."""
