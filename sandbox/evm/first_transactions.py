"""What happened on a chain before anybody came: coins made, pools filled, names registered, pictures given away."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from eth_utils.crypto import keccak

from walletmodal.sandbox.evm.artifacts import call_data
from walletmodal.sandbox.evm.smart_accounts import BUNDLER, PAYMASTERS, SAFE_FALLBACK_HANDLER
from walletmodal.sandbox.evm.tables import ChainRow, TokenRow
from walletmodal.sandbox.evm.world import ACCOUNTS, TREASURY, ContractAccount, Ens, EvmWorld

COPIES = 3
"""How many of each ERC-1155 token a development account has."""

BUNDLER_FUNDS = 10**24
"""Base units of native coin that the bundler has at the beginning."""

SPONSORSHIP = 1_000 * 10**18
"""Base units of native coin that each paymaster has on deposit at the beginning."""

_UNLIMITED = 2**256 - 1
_FOREVER = 2**63
_NOBODY = "0x" + "0" * 40
_ROOT = bytes(32)
_CALL_GAS = 300_000
_PAIR_GAS = 4_000_000


@dataclass(frozen=True)
class Transaction:
    """A transaction that the node signs for its sender.

    Attributes:
        sender, to: addresses.
        data: of the call.
        value: base units of the native coin.
        gas: its limit.
    """

    sender: str
    to: str
    data: bytes
    value: int = 0
    gas: int = _CALL_GAS


def first_transactions(row: ChainRow, world: EvmWorld) -> tuple[tuple[Transaction, ...], ...]:
    """The first transactions in rounds, each of which begins a block."""
    treasury = [*_coins(row, world), *_pools(row, world), *_collectibles(world), *_sponsorship()]
    if world.ens is not None:
        treasury += _registrations(world.ens)
    if world.contract_account is not None:
        treasury += _safe(world, world.contract_account)
    return tuple(treasury), *((one,) for one in _visitors(world))


def base_units(amount: str, decimals: int) -> int:
    """An amount of whole units, as a decimal string, in base units."""
    return int(Decimal(amount).scaleb(decimals))


def name_hash(name: str) -> bytes:
    """The node of a name (EIP-137)."""
    node = _ROOT
    for label in reversed(name.split(".")):
        node = keccak(node + keccak(text=label))
    return node


def _coins(row: ChainRow, world: EvmWorld) -> Iterator[Transaction]:
    for token in row.tokens:
        pooled = sum(
            base_units(amount, token.decimals)
            for pool in row.pools
            for symbol, amount in ((pool.one, pool.amount_of_one), (pool.other, pool.amount_of_other))
            if symbol == token.symbol
        )
        granted = base_units(token.granted, token.decimals)
        if token.kind == "wrapped":
            data = call_data("deposit()")
            yield Transaction(TREASURY, token.address, data, value=pooled + granted * len(ACCOUNTS))
        else:
            yield Transaction(TREASURY, token.address, call_data("mint(address,uint256)", TREASURY, pooled))
        yield Transaction(TREASURY, token.address, call_data("approve(address,uint256)", world.router, _UNLIMITED))
        for account in ACCOUNTS:
            yield Transaction(TREASURY, token.address, _grant(token, account, granted))


def _grant(token: TokenRow, account: str, amount: int) -> bytes:
    method = "transfer" if token.kind == "wrapped" else "mint"
    return call_data(f"{method}(address,uint256)", account, amount)


def _pools(row: ChainRow, world: EvmWorld) -> Iterator[Transaction]:
    tokens = {token.symbol: token for token in row.tokens}
    for pool in row.pools:
        one, other = tokens[pool.one], tokens[pool.other]
        amounts = base_units(pool.amount_of_one, one.decimals), base_units(pool.amount_of_other, other.decimals)
        data = call_data(
            "addLiquidity(address,address,uint256,uint256,uint256,uint256,address,uint256)",
            *(one.address, other.address),
            *amounts,
            *amounts,
            *(TREASURY, _FOREVER),
        )
        yield Transaction(TREASURY, world.router, data, gas=_PAIR_GAS)


def _collectibles(world: EvmWorld) -> Iterator[Transaction]:
    for collection in world.collections:
        for token_id in collection.ids:
            if collection.standard == "ERC721":
                holder = ACCOUNTS[(token_id - 1) % len(ACCOUNTS)]
                yield Transaction(TREASURY, collection.address, call_data("mint(address,uint256)", holder, token_id))
                continue
            for holder in ACCOUNTS[: len(ACCOUNTS) // token_id]:
                data = call_data("mint(address,uint256,uint256)", holder, token_id, COPIES)
                yield Transaction(TREASURY, collection.address, data)


def _sponsorship() -> Iterator[Transaction]:
    """What pays for user operations: coin of the bundler, and the paymasters' deposits."""
    yield Transaction(TREASURY, BUNDLER, b"", value=BUNDLER_FUNDS)
    for paymaster in PAYMASTERS.values():
        yield Transaction(TREASURY, paymaster, call_data("deposit()"), value=SPONSORSHIP)


def _registrations(ens: Ens) -> Iterator[Transaction]:
    def owns(parent: bytes, label: str, owner: str) -> Transaction:
        data = call_data("setSubnodeOwner(bytes32,bytes32,address)", parent, keccak(text=label), owner)
        return Transaction(TREASURY, ens.registry, data)

    yield owns(_ROOT, "eth", TREASURY)
    yield owns(_ROOT, "reverse", TREASURY)
    yield owns(name_hash("reverse"), "addr", ens.reverse_registrar)
    for name in ens.names:
        node = name_hash(name.name)
        yield owns(name_hash("eth"), name.name.removesuffix(".eth"), TREASURY)
        yield Transaction(TREASURY, ens.registry, call_data("setResolver(bytes32,address)", node, ens.resolver))
        yield Transaction(TREASURY, ens.resolver, call_data("setAddr(bytes32,address)", node, name.address))
        avatar = call_data("setText(bytes32,string,string)", node, "avatar", name.avatar)
        yield Transaction(TREASURY, ens.resolver, avatar, gas=2_000_000)
        yield Transaction(TREASURY, ens.registry, call_data("setOwner(bytes32,address)", node, name.address))


def _safe(world: EvmWorld, safe: ContractAccount) -> Iterator[Transaction]:
    data = call_data(
        "setup(address[],uint256,address,bytes,address,address,uint256,address)",
        [safe.owner],
        1,
        _NOBODY,
        b"",
        SAFE_FALLBACK_HANDLER,
        _NOBODY,
        0,
        _NOBODY,
    )
    yield Transaction(TREASURY, safe.address, data)
    yield Transaction(TREASURY, safe.address, b"", value=10**18)
    dollars = call_data("mint(address,uint256)", safe.address, base_units("1000", world.dollar.decimals))
    yield Transaction(TREASURY, world.dollar.address, dollars)


def _visitors(world: EvmWorld) -> Iterator[Transaction]:
    """What the development accounts did: their names, a swap with its approval, a payment."""
    if world.ens is not None:
        for name in world.ens.names:
            data = call_data("setName(string)", name.name)
            yield Transaction(name.address, world.ens.reverse_registrar, data, gas=500_000)
    first, second = world.accounts[:2]
    dollar, wrapped = world.dollar, world.wrapped
    spent = base_units("50", dollar.decimals)
    yield Transaction(first, dollar.address, call_data("approve(address,uint256)", world.router, spent))
    swap = call_data(
        "swapExactTokensForETH(uint256,uint256,address[],address,uint256)",
        *(spent, 0, [dollar.address, wrapped.address], first, _FOREVER),
    )
    yield Transaction(first, world.router, swap)
    payment = call_data("transfer(address,uint256)", second, base_units("25", dollar.decimals))
    yield Transaction(first, dollar.address, payment)
    yield Transaction(second, first, b"", value=10**17, gas=21_000)
