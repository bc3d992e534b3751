"""Passkeys: each opens the wallet on a device that has no part of it. What they seal with (PRF) never comes here."""
