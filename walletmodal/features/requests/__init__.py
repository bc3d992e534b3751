"""What the host page's provider is asked."""
