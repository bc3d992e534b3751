"""A team's own views."""
