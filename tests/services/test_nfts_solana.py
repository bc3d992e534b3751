"""NFTs of Solana: which tokens are some, and what Metaplex or the mint itself says of them."""

from __future__ import annotations

import base64
import struct
from dataclasses import dataclass, field
from typing import Any

import base58
import pytest
from solders.pubkey import Pubkey

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import MalformedResponseError
from walletmodal.services.chains.solana.reads import TOKEN_2022_PROGRAM, TOKEN_PROGRAM
from walletmodal.services.nfts.found import Held, Scan
from walletmodal.services.nfts.solana import METADATA_PROGRAM, SolanaNfts
from walletmodal.services.rpc.transport import JsonParams

CHAIN = parse_chain_id("solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp")
OWNER = str(Pubkey(bytes([7] * 32)))
Row = tuple[str, bytes]


def mint_of(number: int) -> str:
    """The address of a mint."""
    return str(Pubkey(bytes([number] * 32)))


def mint_bytes(*, supply: int = 1, decimals: int = 0) -> bytes:
    """A mint."""
    return bytes(36) + struct.pack("<QBB", supply, decimals, 1) + bytes(36)


def texts(*words: str) -> bytes:
    """Texts with their lengths before them."""
    return b"".join(struct.pack("<I", len(word.encode())) + word.encode() for word in words)


def metaplex(mint: str, name: str = "Kite 7", uri: str = "https://m.example/7.json") -> Row:
    """An account of the metadata program, its texts filled up with zeros."""
    filled = texts(name.ljust(32, "\0"), "KITE".ljust(10, "\0"), uri.ljust(200, "\0"))
    return (METADATA_PROGRAM, b"\x04" + bytes(32) + base58.b58decode(mint) + filled)


def metadata_place(mint: str) -> str:
    """Where the metadata program keeps that of a mint."""
    program = Pubkey.from_string(METADATA_PROGRAM)
    return str(Pubkey.find_program_address([b"metadata", bytes(program), base58.b58decode(mint)], program)[0])


@dataclass
class SolanaDouble:
    """A node. `amounts`: base units of each mint that the owner has; `accounts`: all others, by address."""

    amounts: dict[str, int] = field(default_factory=dict)
    accounts: dict[str, Row] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)

    def give(self, number: int, amount: int = 1, **mint: int) -> str:
        """A token comes to the owner; returns its mint."""
        address = mint_of(number)
        self.amounts[address] = amount
        self.accounts[address] = (TOKEN_PROGRAM, mint_bytes(**mint))
        return address

    async def request(self, method: str, params: JsonParams = ()) -> object:
        """Answer."""
        asked: Any = list(params)
        if method == "getTokenAccountsByOwner":
            mine = self.amounts if asked[1]["programId"] == TOKEN_PROGRAM else {}
            return {"value": [self._holding(mint, amount) for mint, amount in mine.items()]}
        self.asked.append(len(asked[0]))
        found = (self.accounts.get(address) for address in asked[0])
        return {"value": [None if row is None else _account(*row) for row in found]}

    def _holding(self, mint: str, amount: int) -> dict[str, object]:
        data = base58.b58decode(mint) + base58.b58decode(OWNER) + struct.pack("<Q", amount) + bytes(37)
        return {"pubkey": mint, "account": _account(TOKEN_PROGRAM, data)}


def _account(program: str, data: bytes) -> dict[str, object]:
    return {"owner": program, "data": [base64.b64encode(data).decode(), "base64"]}


@pytest.fixture
def node() -> SolanaDouble:
    """The node."""
    return SolanaDouble()


async def held(node: SolanaDouble) -> tuple[Held, ...]:
    """The owner's NFTs."""
    reader, scan = SolanaNfts(node, CHAIN), Scan()
    await reader.search(OWNER, scan)
    return await reader.read(OWNER, scan.arrivals)


async def test_one_token_without_decimals_is_an_nft(node: SolanaDouble) -> None:
    mint = node.give(1)
    node.accounts[metadata_place(mint)] = metaplex(mint)
    (one,) = await held(node)
    assert (one.arrival.contract, one.name, one.collection, one.uri) == (
        mint,
        "Kite 7",
        "KITE",
        "https://m.example/7.json",
    )


@pytest.mark.parametrize("mint", [{"supply": 2}, {"supply": 0}, {"decimals": 6}])
async def test_one_base_unit_of_a_coin_is_none(node: SolanaDouble, mint: dict[str, int]) -> None:
    node.give(1, **mint)
    assert await held(node) == ()


async def test_what_the_owner_has_several_or_none_of_is_none(node: SolanaDouble) -> None:
    node.give(1, amount=2)
    node.give(2, amount=0)
    assert await held(node) == ()


async def test_without_metadata_it_has_no_name(node: SolanaDouble) -> None:
    node.give(1)
    assert [(one.name, one.uri) for one in await held(node)] == [("", "")]


async def test_the_newer_program_tells_it_in_the_mint(node: SolanaDouble) -> None:
    told = bytes(64) + texts("Kite 8", "KITE", "https://m.example/8.json")
    other = struct.pack("<HH", 18, 64) + bytes(64)
    body = mint_bytes().ljust(165, b"\0") + b"\x01" + other + struct.pack("<HH", 19, len(told)) + told
    mint = node.give(1)
    node.accounts[mint] = (TOKEN_2022_PROGRAM, body)
    assert [(one.name, one.uri) for one in await held(node)] == [("Kite 8", "https://m.example/8.json")]


@pytest.mark.parametrize(
    "wrong",
    [
        ("11111111111111111111111111111111", metaplex(mint_of(1))[1]),
        (METADATA_PROGRAM, b""),
        (METADATA_PROGRAM, b"\x05" + metaplex(mint_of(1))[1][1:]),
        metaplex(mint_of(2)),
        (METADATA_PROGRAM, metaplex(mint_of(1))[1][:80]),
        (METADATA_PROGRAM, metaplex(mint_of(1))[1][:65] + b"\xff" * 40),
    ],
)
async def test_what_is_not_its_metadata_is_not_believed(node: SolanaDouble, wrong: Row) -> None:
    node.accounts[metadata_place(node.give(1))] = wrong
    assert [one.name for one in await held(node)] == [""]


async def test_names_are_cleaned(node: SolanaDouble) -> None:
    mint = node.give(1)
    node.accounts[metadata_place(mint)] = metaplex(mint, name="a\u202e\nb")
    assert [one.name for one in await held(node)] == ["a b"]


async def test_many_are_asked_for_in_portions(node: SolanaDouble) -> None:
    for number in range(1, 121):
        node.give(number)
    assert (len(await held(node)), max(node.asked)) == (120, 100)


async def test_a_node_that_answers_with_something_else_is_a_failure(
    node: SolanaDouble, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def nonsense(_method: str, _params: JsonParams = ()) -> object:
        return {"value": 7}

    monkeypatch.setattr(node, "request", nonsense)
    with pytest.raises(MalformedResponseError):
        await held(node)
