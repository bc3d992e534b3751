"""Analytics events and how they are sent."""
