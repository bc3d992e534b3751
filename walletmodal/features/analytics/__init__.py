"""What the analytics service hears."""
