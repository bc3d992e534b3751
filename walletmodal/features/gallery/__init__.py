"""Every built view in every state, with sample data: the real views on the real state classes. For developers and for tests."""
