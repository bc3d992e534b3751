"""What happens to a visitor, as the states of a team hear of it, and what is seen where those raise."""
