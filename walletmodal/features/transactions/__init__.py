"""Having a wallet send something, and what becomes of it."""
