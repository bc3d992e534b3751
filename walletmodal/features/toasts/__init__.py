"""Short messages over the card, and the alert bar for developers."""
