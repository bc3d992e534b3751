"""Logging in with an account at one of six providers: code flow at this server, and a result that one device alone can take, once."""
