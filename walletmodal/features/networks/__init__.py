"""The active network, the list, switching."""
