"""The wrapped components, without the application around them."""
