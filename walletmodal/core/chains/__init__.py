"""Networks, their ids and their addresses."""
