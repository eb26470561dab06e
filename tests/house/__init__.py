"""The house rules of CONTRIBUTING.md, checked."""
