"""The code of contracts, and how their calls are written.

Contracts of others come out of their npm packages, ours out of `contracts/bytecode.json`, which `contracts/compile.mjs` makes.
"""

import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

from eth_abi.abi import encode
from eth_utils.crypto import keccak

from sandbox.errors import PartMissingError

PACKAGES = Path(__file__).parents[1] / "node_modules"

_UNISWAP_CORE, _UNISWAP_PERIPHERY = "@uniswap/v2-core/build", "@uniswap/v2-periphery/build"
_ENS = "@ensdomains/resolver/build/contracts"
_SAFE = "@safe-global/safe-contracts/build/artifacts/contracts"
_ACCOUNTS = "@account-abstraction/contracts/artifacts"

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
    "EntryPoint": f"{_ACCOUNTS}/EntryPoint.json",
    "SimpleAccountFactory": f"{_ACCOUNTS}/SimpleAccountFactory.json",
}
"""Contracts of others, and the file of each in the npm packages."""

_CLIENT_CONSTANTS = PACKAGES / "viem" / "_esm" / "constants" / "contracts.js"
"""Code that viem's clients bring along, as constants of a script: Multicall3 is in no npm package of its own."""


@cache
def creation_code(contract: str) -> bytes:
    """The creation code of a contract, without the arguments of its constructor.

    Raises:
        PartMissingError: the npm packages are not installed, or hold something else under that name.
    """
    if contract != "Multicall3" and contract not in PACKAGED:
        return bytes.fromhex(_own()[contract].removeprefix("0x"))
    try:
        code = _multicall() if contract == "Multicall3" else _artifact(PACKAGED[contract])
        return bytes.fromhex(code.removeprefix("0x"))
    except (OSError, ValueError, KeyError) as error:
        cure = "run `npm ci --ignore-scripts` in sandbox/"
        raise PartMissingError(f"the code of {contract} is missing in the npm packages; {cure}") from error


def _artifact(file: str) -> str:
    return str(json.loads((PACKAGES / file).read_text(encoding="utf-8"))["bytecode"])


def _multicall() -> str:
    found = re.search(r"multicall3Bytecode = '(0x[0-9a-f]+)'", _CLIENT_CONSTANTS.read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("viem has no code of Multicall3")
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
    types = signature[signature.index("(") + 1 : -1]
    return encode(types.split(",") if types else [], arguments)


@cache
def _own() -> dict[str, str]:
    read: dict[str, str] = json.loads((files(__package__) / "contracts" / "bytecode.json").read_text(encoding="utf-8"))
    return read
