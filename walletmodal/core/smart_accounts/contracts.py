"""Public addresses of the contracts that smart accounts consist of; the same on every network where they are deployed."""

import json
from importlib.resources import files
from typing import Any, Final

_DATA: Final[dict[str, Any]] = json.loads(
    files("walletmodal.core").joinpath("data/smart_accounts.json").read_text("utf-8")
)

ENTRY_POINTS: Final[dict[str, str]] = _DATA["entryPoints"]
"""Of ERC-4337, by version."""
ENTRY_POINT_0_7: Final = ENTRY_POINTS["0.7"]
ENTRY_POINT_0_8: Final = ENTRY_POINTS["0.8"]

STATELESS_DELEGATOR: Final[str] = _DATA["statelessDelegator"]
"""`EIP7702StatelessDeleGator` of MetaMask's delegation framework 1.3, for entry point 0.7."""

SAFE_SINGLETON: Final[str] = _DATA["safe"]["singleton"]
"""Safe 1.4.1."""
SAFE_PROXY_FACTORY: Final[str] = _DATA["safe"]["proxyFactory"]
SAFE_PROXY_INIT_CODE_HASH: Final = bytes.fromhex(_DATA["safe"]["proxyInitCodeHash"][2:])
"""Of the code that makes a proxy of this singleton."""
SAFE_MODULE: Final[str] = _DATA["safe"]["module"]
"""Safe4337Module 0.3.0, for entry point 0.7."""
SAFE_MODULE_SETUP: Final[str] = _DATA["safe"]["moduleSetup"]
MULTI_SEND: Final[str] = _DATA["safe"]["multiSend"]

PASSKEY_SIGNER_FACTORY: Final[str] = _DATA["passkeys"]["factory"]
"""`SafeWebAuthnSignerFactory` 0.2.0: makes the contracts by which passkeys are owners of Safes."""
PASSKEY_SIGNER_SINGLETON: Final[str] = _DATA["passkeys"]["singleton"]
"""The code behind each of them."""
PASSKEY_SIGNER_INIT_CODE: Final = bytes.fromhex(_DATA["passkeys"]["proxyInitCode"][2:])
"""`SafeWebAuthnSignerProxy`, before its arguments."""
PASSKEY_VERIFIER: Final[str] = _DATA["passkeys"]["verifier"]
"""`FCLP256Verifier` 0.2.0: verifies signatures of P-256 where the network has no precompile for that."""

TOKEN_PAYMASTERS: Final[frozenset[str]] = frozenset(_DATA["tokenPaymasters"])
"""Pimlico's singleton paymasters for entry points 0.7 and 0.8 (github.com/pimlicolabs/singleton-paymaster), which say in an operation what they take."""

MULTI_SENDS_BEFORE_1_5: Final[frozenset[str]] = frozenset(_DATA["multiSends"])
"""Those of `MULTI_SENDS` of 1.1.1 to 1.4.1, which call the zero address where a call is for it; since 1.5.0 they have the Safe itself called there."""
MULTI_SENDS: Final[frozenset[str]] = MULTI_SENDS_BEFORE_1_5 | frozenset(_DATA["multiSends15"])
"""Where Safe's MultiSend and MultiSendCallOnly stand, 1.1.1 to 1.5.0 (github.com/safe-global/safe-deployments): on each network there, or nobody.

A Safe runs its list of calls as its own code; any other contract under that name could do with the Safe whatever it likes.
"""
