"""Which contract stands where on a chain, with the arguments that its constructor gets."""

from collections.abc import Iterator
from dataclasses import dataclass

from walletmodal.core.smart_accounts.contracts import SAFE_SINGLETON
from walletmodal.sandbox.evm.artifacts import arguments_data, creation_code
from walletmodal.sandbox.evm.fid_registries import registry_answers
from walletmodal.sandbox.evm.smart_accounts import FIRST, SECOND, StandingContract
from walletmodal.sandbox.evm.tables import ChainRow, TokenRow
from walletmodal.sandbox.evm.world import MULTICALL, TREASURY, EvmWorld

_OF_A_COIN = "(string,string,uint8,address)"
_OF_A_COLLECTION = "(string,string,address)"


@dataclass(frozen=True)
class Placement:
    """A contract that is to stand at a chosen address.

    Attributes:
        address: where.
        contract: its name.
        code: creation code with the constructor's arguments.
        storage: slots to set afterwards, each 32 bytes.
    """

    address: str
    contract: str
    code: bytes
    storage: tuple[tuple[int, bytes], ...] = ()


def placements(row: ChainRow, world: EvmWorld) -> tuple[tuple[Placement, ...], ...]:
    """The contracts of a chain in rounds: a constructor may call contracts of the rounds before its own.

    Raises:
        PartMissingError: the npm packages are not installed.
    """
    return tuple(_first_round(row, world)), tuple(_second_round(row, world))


def _first_round(row: ChainRow, world: EvmWorld) -> Iterator[Placement]:
    for token in row.tokens:
        yield _token(token)
    for collection in world.collections:
        contract = "SandboxCollectibles" if collection.standard == "ERC721" else "SandboxEditions"
        yield _placed(collection.address, contract, _OF_A_COLLECTION, collection.name, collection.symbol, TREASURY)
    yield _placed(MULTICALL, "Multicall3", "()")
    yield _placed(row.factory, "UniswapV2Factory", "(address)", TREASURY)
    yield _placed(row.router, "UniswapV2Router02", "(address,address)", row.factory, world.wrapped.address)
    if row.ens is not None:
        yield _placed(row.ens.registry, "SandboxNames", "(address)", TREASURY)
    if world.farcaster is not None:
        for address, code, storage in registry_answers(world.farcaster):
            yield Placement(address, "RecordedAnswers", code, storage)
    yield from map(_standing, FIRST)


def _second_round(row: ChainRow, world: EvmWorld) -> Iterator[Placement]:
    if row.ens is not None:
        registry, resolver = row.ens.registry, row.ens.resolver
        yield _placed(resolver, "PublicResolver", "(address)", registry)
        yield _placed(row.ens.reverse_registrar, "ReverseRegistrar", "(address,address)", registry, resolver)
    if world.contract_account is not None:
        yield _placed(world.contract_account.address, "SafeProxy", "(address)", SAFE_SINGLETON)
    yield from map(_standing, SECOND)


def _token(token: TokenRow) -> Placement:
    if token.kind == "wrapped":
        # WETH9 has its name and symbol in its first two slots, and no argument to choose them.
        names = ((0, _short_string(token.name)), (1, _short_string(token.symbol)))
        return Placement(token.address, "WETH9", creation_code("WETH9"), names)
    contract = "SandboxTether" if token.kind == "tether" else "SandboxToken"
    return _placed(token.address, contract, _OF_A_COIN, token.name, token.symbol, token.decimals, TREASURY)


def _standing(one: StandingContract) -> Placement:
    code = creation_code(one.contract, one.library) + arguments_data(one.constructor, *one.arguments)
    return Placement(one.address, one.contract, code)


def _placed(address: str, contract: str, signature: str, *arguments: object) -> Placement:
    return Placement(address, contract, creation_code(contract) + arguments_data(signature, *arguments))


def _short_string(text: str) -> bytes:
    """A string of at most 31 bytes as Solidity stores it: the text to the left, twice its length in the last byte."""
    raw = text.encode()
    if len(raw) > 31:
        raise ValueError(f"{text!r} is too long for one slot")
    return raw.ljust(31, b"\0") + bytes([2 * len(raw)])
