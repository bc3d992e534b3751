"""What stands on each EVM chain of the sandbox: tokens, collections, pools, names, accounts.

Contracts that exist on the public chain stand at their public addresses, so that token lists, name clients and links made for the
public chain fit; those of our own stand at addresses derived from their names. All are the same on every start.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Literal

from eth_utils.address import to_checksum_address
from eth_utils.crypto import keccak

from walletmodal.sandbox.evm.drawings import avatar_uri
from walletmodal.sandbox.evm.tables import CHAIN_ROWS, ChainRow, EnsRow, FarcasterRow

PAIR_CODE_HASH = bytes.fromhex("96e8ac4277198ff8b6f785478aa9a39f403cb768dd02cbee326c3e7da348845f")
"""keccak-256 of the creation code of a Uniswap v2 pair, which its router computes addresses with."""

NATIVE_ADDRESS = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
"""Stands for the native coin in the swap calls of the public services."""

MULTICALL = "0xcA11bde05977b3631167028862bE2a173976CA11"
"""Multicall3, at the same address on every chain: clients such as viem read through it."""

Standard = Literal["ERC721", "ERC1155"]


@dataclass(frozen=True)
class Token:
    """One fungible token (ERC-20).

    Attributes:
        address: contract, checksummed (EIP-55).
        name, symbol: as the contract tells them.
        decimals: exponent between base units and the unit that people read.
    """

    address: str
    name: str
    symbol: str
    decimals: int


@dataclass(frozen=True)
class Collection:
    """One collection of non-fungible tokens.

    Attributes:
        address: contract, checksummed.
        name, symbol: as the contract tells them.
        standard: which interface it has.
        ids: the token ids that exist at the beginning.
    """

    address: str
    name: str
    symbol: str
    standard: Standard
    ids: tuple[int, ...]


@dataclass(frozen=True)
class Pool:
    """One Uniswap v2 pair; `token0` is the lower of the two token addresses, as in the contract."""

    address: str
    token0: str
    token1: str


@dataclass(frozen=True)
class EnsName:
    """A name that is registered at the beginning.

    Attributes:
        name: such as `alice.eth`.
        address: what it resolves to, and what resolves back to it.
        avatar: its text record `avatar` (ENSIP-12): a `data:` URI or a reference to an NFT.
    """

    name: str
    address: str
    avatar: str


@dataclass(frozen=True)
class Ens:
    """The name system of the chain.

    Attributes:
        registry, resolver, reverse_registrar: contracts.
        owner: the account that owns the root, `eth` and `reverse`: the treasury.
        names: what is registered at the beginning.
    """

    registry: str
    resolver: str
    reverse_registrar: str
    owner: str
    names: tuple[EnsName, ...]


@dataclass(frozen=True)
class ContractAccount:
    """A Safe 1.4.1 with one owner; it accepts signatures by ERC-1271.

    Attributes:
        address: the account.
        owner: the development account that signs for it.
    """

    address: str
    owner: str


@dataclass(frozen=True)
class FarcasterAccount:
    """A Farcaster id of the beginning.

    Attributes:
        fid: the id.
        address: the development account that signs for it.
        signs_as: whether that owns the id, or is one of its auth addresses.
    """

    fid: int
    address: str
    signs_as: Literal["custody", "authAddress"]


@dataclass(frozen=True)
class Farcaster:
    """Farcaster's registries, and the ids that they know."""

    id_registry: str
    key_registry: str
    accounts: tuple[FarcasterAccount, ...]


@dataclass(frozen=True)
class EvmWorld:
    """One chain's contracts.

    Attributes:
        chain: CAIP-2 id.
        native_name, native_symbol: of the native coin, which has 18 decimals.
        wrapped: the ERC-20 form of the native coin (WETH9); it is in `tokens` too.
        dollar: the token that counts as one US dollar; prices of the others follow from the pools.
        tokens: every ERC-20 token.
        collections: every NFT collection.
        factory, router: Uniswap v2; the router is a UniswapV2Router02.
        pools: the pairs that have liquidity.
        ens: names, where the chain has them.
        contract_account: a deployed ERC-1271 account, where the chain has one.
        farcaster: registries of Farcaster, where the chain has them.
        treasury: the account that deployed all, mints tokens and pays the faucet (`sandbox.evm.treasury` signs for it).
        accounts: the ten development accounts, whose keys everybody knows.
    """

    chain: str
    native_name: str
    native_symbol: str
    wrapped: Token
    dollar: Token
    tokens: tuple[Token, ...]
    collections: tuple[Collection, ...]
    factory: str
    router: str
    pools: tuple[Pool, ...]
    ens: Ens | None
    contract_account: ContractAccount | None
    farcaster: Farcaster | None
    treasury: str
    accounts: tuple[str, ...]

    def token(self, address_or_symbol: str) -> Token | None:
        """The token with this address (any case) or this very symbol."""
        wanted = address_or_symbol.lower()
        return next(
            (one for one in self.tokens if one.address.lower() == wanted or one.symbol == address_or_symbol), None
        )

    def pool(self, one: str, other: str) -> Pool | None:
        """The pool of two token addresses, in whichever order and case."""
        pair = {one.lower(), other.lower()}
        return next((pool for pool in self.pools if {pool.token0.lower(), pool.token1.lower()} == pair), None)


ACCOUNTS = (
    "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
    "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    "0x90F79bf6EB2c4f870365E785982E1f101E93b906",
    "0x15d34AAf54267DB7D7c367839AAf71A00a2C6A65",
    "0x9965507D1a55bcC2695C58ba16FB37d819B0A4dc",
    "0x976EA74026E726554dB657fA54763abd0C3a0aa9",
    "0x14dC79964da2C08b23698B3D3cc7Ca32193d9955",
    "0x23618e81E3f5cdF7f54C3d65f7FBc0aBf5B21E8f",
    "0xa0Ee7A142d267C1f36714E4a8F75612F20a79720",
)
"""anvil's development accounts."""


def own_address(name: str) -> str:
    """The address of a contract or account of our own, derived from its name."""
    return to_checksum_address(keccak(text=f"walletmodal sandbox: {name}")[12:])


TREASURY = own_address("treasury")


def pair_address(factory: str, one: str, other: str) -> tuple[str, str, str]:
    """The address of a Uniswap v2 pair, and its tokens in the pair's order."""
    token0, token1 = sorted((one, other), key=lambda address: int(address, 16))
    salt = keccak(bytes.fromhex(token0[2:] + token1[2:]))
    made = keccak(b"\xff" + bytes.fromhex(factory[2:]) + salt + PAIR_CODE_HASH)
    return to_checksum_address(made[12:]), token0, token1


@cache
def worlds() -> Mapping[str, EvmWorld]:
    """The contracts of every chain, by CAIP-2 id."""
    return MappingProxyType({row.chain: _world(row) for row in CHAIN_ROWS})


def _world(row: ChainRow) -> EvmWorld:
    tokens = {token.symbol: Token(token.address, token.name, token.symbol, token.decimals) for token in row.tokens}
    pools = (pair_address(row.factory, tokens[pool.one].address, tokens[pool.other].address) for pool in row.pools)
    collections = tuple(
        Collection(
            own_address(f"{row.chain} {each.name}"),
            each.name,
            each.symbol,
            each.standard,
            tuple(range(1, each.size + 1)),
        )
        for each in row.collections
    )
    ens = row.ens and Ens(
        row.ens.registry,
        row.ens.resolver,
        row.ens.reverse_registrar,
        TREASURY,
        tuple(_name(row.chain, each, collections) for each in row.ens.names),
    )
    safe = ContractAccount(own_address(f"{row.chain} safe"), ACCOUNTS[0]) if row.has_contract_account else None
    return EvmWorld(
        chain=row.chain,
        native_name=row.native_name,
        native_symbol=row.native_symbol,
        wrapped=next(tokens[token.symbol] for token in row.tokens if token.kind == "wrapped"),
        dollar=tokens["USDC"],
        tokens=tuple(tokens.values()),
        collections=collections,
        factory=row.factory,
        router=row.router,
        pools=tuple(Pool(*pool) for pool in pools),
        ens=ens,
        contract_account=safe,
        farcaster=row.farcaster and _farcaster(row.farcaster),
        treasury=TREASURY,
        accounts=ACCOUNTS,
    )


def _name(chain: str, row: EnsRow, collections: tuple[Collection, ...]) -> EnsName:
    name = f"{row.label}.eth"
    if row.avatar == "drawing":
        return EnsName(name, ACCOUNTS[row.account], avatar_uri(name))
    of = collections[0]
    return EnsName(name, ACCOUNTS[row.account], f"{chain}/{of.standard.lower()}:{of.address}/{of.ids[row.account]}")


def _farcaster(row: FarcasterRow) -> Farcaster:
    accounts = (FarcasterAccount(each.fid, ACCOUNTS[each.account], each.signs_as) for each in row.fids)
    return Farcaster(row.id_registry, row.key_registry, tuple(accounts))
