"""Requests of a host page: which are taken, what the policy sees, and what the visitor reads."""
