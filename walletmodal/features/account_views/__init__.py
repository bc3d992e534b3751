"""The Account view with the panels of all features that have one, and the views that it leads to."""
