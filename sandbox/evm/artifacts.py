"""The code of contracts, and how their calls are written.

Contracts of others come out of their npm packages, ours out of `contracts/bytecode.json`, which `contracts/compile.mjs` makes, and the
paymasters out of `contracts/paymasters.json`, which `contracts/extract.mjs` makes.
"""

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from eth_abi.abi import encode
from eth_utils.crypto import keccak

from walletmodal.core.decoding.abi import argument_types
from walletmodal.sandbox.errors import PartMissingError
from walletmodal.sandbox.packages import PACKAGES

_UNISWAP_CORE, _UNISWAP_PERIPHERY = "@uniswap/v2-core/build", "@uniswap/v2-periphery/build"
_ENS = "@ensdomains/resolver/build/contracts"
_SAFE = "@safe-global/safe-contracts/build/artifacts/contracts"
_SAFE_4337 = "@safe-global/safe-4337/build/artifacts/contracts"
_SAFE_PASSKEY = "@safe-global/safe-passkey/build/artifacts/contracts"
_ACCOUNTS_07, _ACCOUNTS_08 = (
    "@account-abstraction/contracts-0.7/artifacts",
    "@account-abstraction/contracts/artifacts",
)
_DELEGATION = "@metamask/delegation-abis/dist/bytecode"

PACKAGED = {
    "WETH9": "canonical-weth/build/contracts/WETH9.json",
    "UniswapV2Factory": f"{_UNISWAP_CORE}/UniswapV2Factory.json",
    "UniswapV2Router02": f"{_UNISWAP_PERIPHERY}/UniswapV2Router02.json",
    "PublicResolver": f"{_ENS}/PublicResolver.json",
    "ReverseRegistrar": f"{_ENS}/ReverseRegistrar.json",
    "Safe": f"{_SAFE}/Safe.sol/Safe.json",
    "SafeProxy": f"{_SAFE}/proxies/SafeProxy.sol/SafeProxy.json",
    "SafeProxyFactory": f"{_SAFE}/proxies/SafeProxyFactory.sol/SafeProxyFactory.json",
    "CompatibilityFallbackHandler": f"{_SAFE}/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json",
    "SafeL2": f"{_SAFE}/SafeL2.sol/SafeL2.json",
    "MultiSend": f"{_SAFE}/libraries/MultiSend.sol/MultiSend.json",
    "MultiSendCallOnly": f"{_SAFE}/libraries/MultiSendCallOnly.sol/MultiSendCallOnly.json",
    "Safe4337Module": f"{_SAFE_4337}/Safe4337Module.sol/Safe4337Module.json",
    "SafeModuleSetup": f"{_SAFE_4337}/SafeModuleSetup.sol/SafeModuleSetup.json",
    "SafeWebAuthnSignerFactory": f"{_SAFE_PASSKEY}/SafeWebAuthnSignerFactory.sol/SafeWebAuthnSignerFactory.json",
    "FCLP256Verifier": f"{_SAFE_PASSKEY}/verifiers/FCLP256Verifier.sol/FCLP256Verifier.json",
    "EntryPoint07": f"{_ACCOUNTS_07}/EntryPoint.json",
    "EntryPoint08": f"{_ACCOUNTS_08}/EntryPoint.json",
    "EntryPointSimulations07": f"{_ACCOUNTS_07}/EntryPointSimulations.json",
    "EntryPointSimulations08": f"{_ACCOUNTS_08}/EntryPointSimulations.json",
    "SimpleAccountFactory07": f"{_ACCOUNTS_07}/SimpleAccountFactory.json",
    "SimpleAccountFactory08": f"{_ACCOUNTS_08}/SimpleAccountFactory.json",
    "Simple7702Account": f"{_ACCOUNTS_08}/Simple7702Account.json",
}
"""Contracts of others, and the file of each in the npm packages."""

_OURS = ("bytecode.json", "paymasters.json")

_CLIENT_CONSTANTS = PACKAGES / "viem" / "_esm" / "constants" / "contracts.js"
"""Code that viem's clients bring along, as constants of a script: Multicall3 is in no npm package of its own."""


@cache
def creation_code(contract: str, library: str = "") -> bytes:
    """The creation code of a contract, without the arguments of its constructor.

    Args:
        contract: its name; one of the delegation framework is found by the file of its name.
        library: the address of the one library that it is linked with, if it is.

    Raises:
        PartMissingError: the npm packages are not installed, or hold something else under that name.
    """
    own = _own().get(contract)
    if own is not None:
        return bytes.fromhex(own.removeprefix("0x"))
    try:
        code = _multicall() if contract == "Multicall3" else _packaged(contract)
        return bytes.fromhex(_LINK.sub(library[2:].lower(), code).removeprefix("0x"))
    except (OSError, ValueError, KeyError) as error:
        cure = "run `npm ci --ignore-scripts` in sandbox/"
        raise PartMissingError(f"the code of {contract} is missing in the npm packages; {cure}") from error


_LINK = re.compile(r"__\$[0-9a-f]{34}\$__")
"""Where the address of a library belongs (Solidity)."""


def _packaged(contract: str) -> str:
    if contract in PACKAGED:
        return str(json.loads((PACKAGES / PACKAGED[contract]).read_text(encoding="utf-8"))["bytecode"])
    return _constant(PACKAGES / _DELEGATION / f"{contract}.mjs", r'"(0x[0-9a-f_$]{100,})"')


def _multicall() -> str:
    return _constant(_CLIENT_CONSTANTS, r"multicall3Bytecode = '(0x[0-9a-f]+)'")


def _constant(script: Path, pattern: str) -> str:
    found = re.search(pattern, script.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError(f"{script.name} has no such constant")
    return found[1]


def call_data(signature: str, *arguments: object) -> bytes:
    """The data of a call (Solidity ABI).

    Args:
        signature: such as `transfer(address,uint256)`.
        arguments: one per parameter.
    """
    return keccak(text=signature)[:4] + arguments_data(signature, *arguments)


def arguments_data(signature: str, *arguments: object) -> bytes:
    """The arguments alone, as a constructor takes them; `signature` as in `call_data`."""
    return encode(argument_types(signature), arguments)


@cache
def _own() -> dict[str, str]:
    folder = files(__package__) / "contracts"
    read: dict[str, str] = {}
    for name in _OURS:
        read |= json.loads((folder / name).read_text(encoding="utf-8"))
    return read
