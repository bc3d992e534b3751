"""Reading JSON, URLs and text of strangers."""
