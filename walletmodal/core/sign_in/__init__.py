"""Sign-in messages, what they are signed in, and the session that follows."""
