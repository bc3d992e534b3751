"""Sending: the form, the token picker, the preview that freezes what will be signed, and what came of it."""
