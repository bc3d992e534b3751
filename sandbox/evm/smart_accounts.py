"""Smart accounts on every chain: the contracts of ERC-4337, Safe and the delegation framework at their public addresses.

A client made for the public chains finds here what it knows: entry points, account factories, modules, caveat enforcers, paymasters.
"""

from dataclasses import dataclass
from typing import Final

from eth_account import Account
from eth_utils.crypto import keccak

from walletmodal.core.permissions.framework import ENFORCERS, MANAGER
from walletmodal.core.smart_accounts.contracts import (
    ENTRY_POINT_0_7,
    ENTRY_POINT_0_8,
    MULTI_SEND,
    PASSKEY_SIGNER_FACTORY,
    PASSKEY_VERIFIER,
    SAFE_MODULE,
    SAFE_MODULE_SETUP,
    SAFE_PROXY_FACTORY,
    SAFE_SINGLETON,
    STATELESS_DELEGATOR,
)
from walletmodal.sandbox.evm.world import TREASURY, own_address

SAFE_FALLBACK_HANDLER: Final = "0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99"
SIMPLE_7702_ACCOUNT: Final = "0xe6Cae83BdE06E4c305530e199D7217f42808555B"
ACCOUNT_FACTORY_08: Final = "0x13E9ed32155810FDbd067D4522C492D6f68E5944"

ENTRY_POINTS: Final = (ENTRY_POINT_0_7, ENTRY_POINT_0_8)
"""Of ERC-4337, those that stand here."""

PAYMASTER_07: Final = "0x777777777777AeC03fd955926DbF81597e66834C"
PAYMASTER_08: Final = "0x888888888888Ec68A58AB8094Cc1AD20Ba3D2402"
PAYMASTERS: Final = {ENTRY_POINT_0_7: PAYMASTER_07, ENTRY_POINT_0_8: PAYMASTER_08}
"""The paymaster of each entry point."""

_P256_VERIFIER: Final = own_address("P-256 verifier")


@dataclass(frozen=True)
class StandingContract:
    """A contract that stands on every chain.

    Attributes:
        name: what people call it.
        contract: the name of its code.
        address: where it stands.
        constructor: the constructor's parameters, such as `(address)`.
        arguments: one per parameter.
        library: the address of the library that it is linked with, if it is.
    """

    name: str
    contract: str
    address: str
    constructor: str = "()"
    arguments: tuple[object, ...] = ()
    library: str = ""


def _development_account(name: str) -> tuple[str, str]:
    """The key of an account of our own, and its address. The key follows from the name, so that everybody knows it."""
    key = "0x" + keccak(text=f"walletmodal sandbox: {name}").hex()
    return key, str(Account.from_key(key).address)


BUNDLER_KEY, BUNDLER = _development_account("bundler")
SPONSOR_KEY, SPONSOR = _development_account("sponsor")
"""The account whose signature the paymasters pay for."""

TOKEN_GAS_TREASURY: Final = own_address("token gas")
"""Where the tokens go that accounts pay their gas with."""

_OTHER_ENFORCERS: Final = {
    "ApprovalRevocationEnforcer": "0xe264F1f09A19505a1ca1a86D5b01E8bFdb64324A",
    "ERC20TransferAmountEnforcer": "0xf100b0819427117EcF76Ed94B358B1A5b5C6D2Fc",
    "NativeTokenTransferAmountEnforcer": "0xF71af580b9c3078fbc2BBF16FbB8EEd82b330320",
}
"""Those of release 1.3.0 that clients know besides, and no permission of ours has."""

_ENFORCERS: Final = {name: address for address, name in ENFORCERS.items()} | _OTHER_ENFORCERS
"""What the caveats of ERC-7715's permissions are enforced by, in release 1.3.0 of the delegation framework."""

FIRST: Final = (
    StandingContract("Entry point 0.7", "EntryPoint07", ENTRY_POINT_0_7),
    StandingContract("Entry point 0.8", "EntryPoint08", ENTRY_POINT_0_8),
    StandingContract("Safe", "Safe", SAFE_SINGLETON),
    StandingContract("Safe L2", "SafeL2", "0x29fcB43b46531BcA003ddC8FCB67FFE91900C762"),
    StandingContract("Safe proxy factory", "SafeProxyFactory", SAFE_PROXY_FACTORY),
    StandingContract("Safe fallback handler", "CompatibilityFallbackHandler", SAFE_FALLBACK_HANDLER),
    StandingContract("MultiSend", "MultiSend", MULTI_SEND),
    StandingContract("MultiSendCallOnly", "MultiSendCallOnly", "0x9641d764fc13c8B624c04430C7356C1C7C8102e2"),
    StandingContract("Safe module setup", "SafeModuleSetup", SAFE_MODULE_SETUP),
    StandingContract("Safe passkeys", "SafeWebAuthnSignerFactory", PASSKEY_SIGNER_FACTORY),
    StandingContract("Safe passkeys' verifier", "FCLP256Verifier", PASSKEY_VERIFIER),
    StandingContract("Delegation manager", "DelegationManager", MANAGER, "(address)", (TREASURY,)),
    StandingContract("Delegator factory", "SimpleFactory", "0x69Aa2f9fe1572F1B640E1bbc512f5c3a734fc77c"),
    StandingContract("P-256 verifier", "SCL_RIP7212", _P256_VERIFIER),
    *(StandingContract(name, name, address) for name, address in sorted(_ENFORCERS.items())),
)
"""Those whose constructors call no other contract."""

_HYBRID_DELEGATOR = "0x48dBe696A4D990079e039489bA2053B36E8FFEC4"
_ACCOUNT_FACTORY_07 = "0x91E60e0613810449d098b0b5Ec8b51A0FE8c8985"
_FRAMEWORK = (MANAGER, ENTRY_POINT_0_7)
_PAYMASTER = "(address,address,address,address[])"

SECOND: Final = (
    StandingContract("Safe 4337 module", "Safe4337Module", SAFE_MODULE, "(address)", (ENTRY_POINT_0_7,)),
    StandingContract(
        "Stateless delegator", "EIP7702StatelessDeleGator", STATELESS_DELEGATOR, "(address,address)", _FRAMEWORK
    ),
    StandingContract(
        "Hybrid delegator", "HybridDeleGator", _HYBRID_DELEGATOR, "(address,address)", _FRAMEWORK, _P256_VERIFIER
    ),
    StandingContract("Simple account", "Simple7702Account", SIMPLE_7702_ACCOUNT, "(address)", (ENTRY_POINT_0_8,)),
    StandingContract(
        "Account factory 0.7", "SimpleAccountFactory07", _ACCOUNT_FACTORY_07, "(address)", (ENTRY_POINT_0_7,)
    ),
    StandingContract(
        "Account factory 0.8", "SimpleAccountFactory08", ACCOUNT_FACTORY_08, "(address)", (ENTRY_POINT_0_8,)
    ),
    *(
        StandingContract(
            f"Paymaster {version}", f"SingletonPaymaster{version.replace('.', '')}", address, _PAYMASTER, arguments
        )
        for version, address, arguments in (
            ("0.7", PAYMASTER_07, (ENTRY_POINT_0_7, TREASURY, TREASURY, [SPONSOR])),
            ("0.8", PAYMASTER_08, (ENTRY_POINT_0_8, TREASURY, TREASURY, [SPONSOR])),
        )
    ),
)
"""Those whose constructors call contracts of the first round."""
