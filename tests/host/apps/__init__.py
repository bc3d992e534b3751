"""The same small host in each framework: what it promises is in `tests/host/test_adapters.py`.

GET /members, /members-sync and POST /orders tell the account; /online asks the modal every time; /bound wants the nonce of GET /nonce;
POST and DELETE /session sign in and out.
"""
