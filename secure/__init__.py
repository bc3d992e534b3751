"""The secure site of the embedded wallet: its server, its tables and its page, on an origin of their own. No Reflex, nothing of the modal's."""
