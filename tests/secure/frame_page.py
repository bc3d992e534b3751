"""What the embedded wallet's page derives and signs, and the same wallet in libraries that are not ours."""

import json
import subprocess
from collections.abc import Mapping
from typing import Any

import pytest
from eth_account import Account
from eth_account.hdaccount import seed_from_mnemonic
from solders.keypair import Keypair

from scripts.build import build_secure
from scripts.project import ROOT, VENV_BIN
from walletmodal.commands.project import tool_environment

Account.enable_unaudited_hdwallet_features()

ENTROPY = bytes(range(16)).hex()
SOLANA = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
ETHEREUM_NODE = {
    "eth_getTransactionCount": "0x7",
    "eth_estimateGas": "0x5208",
    "eth_gasPrice": "0x3b9aca07",
    "eth_feeHistory": {"baseFeePerGas": ["0x64", "0x3b9aca00"], "reward": [["0x1"], ["0x5f5e100"], ["0x5"]]},
}

Case = Mapping[str, Any]


def page(*requests: Case) -> list[dict[str, Any]]:
    """What the page makes of requests of the wallet of ENTROPY, or of their own."""
    build_secure()
    ran = subprocess.run(
        [str(VENV_BIN / "node"), str(ROOT / "tests" / "secure" / "frame_vectors.mjs")],
        input=json.dumps([{"entropy": ENTROPY, **request} for request in requests]),
        env=tool_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    found: list[dict[str, Any]] = json.loads(ran.stdout)
    return found


@pytest.fixture(scope="module")
def words() -> str:
    """The phrase of ENTROPY."""
    found: str = page({})[0]["words"]
    return found


@pytest.fixture(scope="module")
def ethereum(words: str) -> Any:
    """Its account of Ethereum, as eth-account derives it."""
    return Account.from_mnemonic(words)


@pytest.fixture(scope="module")
def solana(words: str) -> Keypair:
    """Its account of Solana, as solders derives it."""
    return solana_account(words)


def solana_account(words: str) -> Keypair:
    """The account of Solana that wallets derive from a phrase."""
    return Keypair.from_seed_and_derivation_path(seed_from_mnemonic(words, ""), "m/44'/501'/0'/0'")
