"""What an account is, has and did."""
