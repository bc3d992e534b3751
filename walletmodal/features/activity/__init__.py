"""What an account did: the Activity tab and the Transactions view."""
