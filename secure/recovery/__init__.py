"""The recovery service: keeps recovery halves in escrow, and gives one out for a code that it has mailed itself.

A process, key, database and database user of its own. It never sees the site's halves: with what lies here alone nothing can be signed.
"""
