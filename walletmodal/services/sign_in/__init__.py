"""Sign-in with a wallet, as far as neither a browser nor the database has to do with it: nonces, messages, proofs, keys and tokens.

Whether an account signed, its namespace's adapter says (`services.chains`); what is remembered of a sign-in stands in `db.sign_ins`.
`rechecks` is imported by itself: it counts what it finds, and what hosts' tests import counts nothing.
"""

from walletmodal.services.sign_in.checks import SignatureChecks
from walletmodal.services.sign_in.keys import SigningKey
from walletmodal.services.sign_in.nonces import MemoryNonces, Nonces, RedisNonces, open_nonces
from walletmodal.services.sign_in.pairing import PairingTerms
from walletmodal.services.sign_in.proofs import ProvenSignIn, SignInProofs, SignInTerms
from walletmodal.services.sign_in.tickets import Tickets
from walletmodal.services.sign_in.tokens import MintedToken, SignInTokens, TokenKeys

__all__ = [
    "MemoryNonces",
    "MintedToken",
    "Nonces",
    "PairingTerms",
    "ProvenSignIn",
    "RedisNonces",
    "SignInProofs",
    "SignInTerms",
    "SignInTokens",
    "SignatureChecks",
    "SigningKey",
    "Tickets",
    "TokenKeys",
    "open_nonces",
]
