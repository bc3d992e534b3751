"""The host page and the options it gave."""
