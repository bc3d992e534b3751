"""The whole modal: its frame, and the table of all views."""
