"""Lists of what an account has or did that come page by page."""
