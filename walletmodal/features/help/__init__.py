"""Pages that explain."""
