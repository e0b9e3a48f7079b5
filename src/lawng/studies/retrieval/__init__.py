"""Case retrieval by implication (LawngNLI, 4.2.1, tables 6 and 17): is a case found by what it entails or refutes?"""
