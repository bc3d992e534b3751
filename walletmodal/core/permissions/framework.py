"""The delegation framework, version 1.3.0, at its public addresses, which are the same on every network that has it."""

from typing import Final

MANAGER: Final = "0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3"
"""DelegationManager: whoever redeems a delegation calls it, and it calls the account."""

MANAGER_NAME: Final = "DelegationManager"
MANAGER_VERSION: Final = "1"
"""Of its EIP-712 domain; the framework's own version is another number."""

ALLOWED_CALLDATA: Final = "0xc2b0d624c1c4319760C96503BA27C347F3260f55"
ALLOWED_METHODS: Final = "0x2c21fD0Cb9DC8445CB3fb0DC5E7Bb0Aca01842B5"
ALLOWED_TARGETS: Final = "0x7F20f61b1f09b08D970938F6fa563634d65c4EeB"
ERC20_PERIOD: Final = "0x474e3Ae7E169e940607cC624Da8A15Eb120139aB"
ERC20_STREAM: Final = "0x56c97aE02f233B29fa03502Ecc0457266d9be00e"
EXACT_CALLDATA: Final = "0x99F2e9bF15ce5eC84685604836F71aB835DBBdED"
LIMITED_CALLS: Final = "0x04658B29F6b82ed55274221a06Fc97D318E25416"
NATIVE_PERIOD: Final = "0x9BC0FAf4Aca5AE429F4c06aEEaC517520CB16BD9"
NATIVE_STREAM: Final = "0xD10b97905a320b13a0608f7E9cC506b56747df19"
NONCE: Final = "0xDE4f2FAC4B3D87A1d9953Ca5FC09FCa7F366254f"
REDEEMER: Final = "0xE144b0b2618071B4E56f746313528a669c7E65c5"
TIMESTAMP: Final = "0x1046bb45C8d673d4ea75321280DB34899413c069"
VALUE_LTE: Final = "0x92Bf12322527cAA612fd31a0e810472BBB106A8F"

ENFORCERS: Final = {
    ALLOWED_CALLDATA: "AllowedCalldataEnforcer",
    ALLOWED_METHODS: "AllowedMethodsEnforcer",
    ALLOWED_TARGETS: "AllowedTargetsEnforcer",
    ERC20_PERIOD: "ERC20PeriodTransferEnforcer",
    ERC20_STREAM: "ERC20StreamingEnforcer",
    EXACT_CALLDATA: "ExactCalldataEnforcer",
    LIMITED_CALLS: "LimitedCallsEnforcer",
    NATIVE_PERIOD: "NativeTokenPeriodTransferEnforcer",
    NATIVE_STREAM: "NativeTokenStreamingEnforcer",
    NONCE: "NonceEnforcer",
    REDEEMER: "RedeemerEnforcer",
    TIMESTAMP: "TimestampEnforcer",
    VALUE_LTE: "ValueLteEnforcer",
}
"""The enforcers of the permissions that are granted here, by address."""

ANYONE: Final = "0x0000000000000000000000000000000000000a11"
"""A delegate of this address lets everybody redeem."""
