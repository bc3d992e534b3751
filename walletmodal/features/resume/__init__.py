"""What a lost session gets back."""
