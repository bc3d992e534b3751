"""Who is calling: signatures of devices, nonces, sessions, and the limits of calls."""
