"""What may be missing from the NFTs of an account on an EVM network, where nodes tell only a part: it is said, and the history helps."""

from __future__ import annotations

import pytest

from tests.features.history_double import entry, nft
from tests.services.nft_double import NftNode
from tests.services.nft_stage import Stage, stage
from walletmodal.core.errors import RpcRequestError

__all__ = ["stage"]


async def test_a_list_of_everything_says_so(stage: Stage) -> None:
    stage.node.give(1)
    assert await stage.whole() == (["Kite 1"], False)


@pytest.mark.parametrize("widest", [10, 100, 500])
async def test_however_few_blocks_a_node_tells_at_once_a_short_chain_is_told_whole(stage: Stage, widest: int) -> None:
    stage.node.head, stage.node.widest = 700, widest
    stage.node.give(1, block=1)
    stage.node.give(2, block=690)
    assert await stage.whole() == (["Kite 2", "Kite 1"], False)


async def test_a_past_that_is_too_long_is_told_to_be_missing(stage: Stage) -> None:
    stage.node.head, stage.node.widest = 25_000_000, 10_000
    stage.node.give(1, block=100)
    stage.node.give(2, block=24_999_000)
    assert await stage.whole() == (["Kite 2"], True)


async def test_a_past_that_the_node_has_forgotten_is_told_to_be_missing(stage: Stage) -> None:
    stage.node.head, stage.node.forgotten = 100_000, 60_000
    stage.node.give(1, block=100)
    stage.node.give(2, block=99_000)
    assert await stage.whole() == (["Kite 2"], True)


async def test_what_the_history_has_told_to_its_end_is_not_missing(stage: Stage) -> None:
    stage.node.head, stage.node.widest = 25_000_000, 10_000
    stage.node.give(1, block=100)
    stage.told.pages = [[entry(1)], [entry(0, nft("Kite 1"), hash=NftNode.hash_of(0))]]
    assert await stage.whole() == (["Kite 1"], False)


async def test_without_an_answer_of_the_history_the_past_is_told_to_be_missing(stage: Stage) -> None:
    stage.node.head, stage.node.widest = 25_000_000, 10_000
    stage.told.pages, stage.told.down = [], True
    assert await stage.whole() == ([], True)


async def later(stage: Stage) -> tuple[list[str], bool]:
    """The list after more blocks than the node tells at a look, one of which brought something."""
    stage.node.head, stage.node.widest = 300, 10
    stage.node.give(1, block=295)
    await stage.whole()
    stage.node.head = 5_000
    stage.node.give(2, block=2_000)
    stage.clock.advance(30)
    return await stage.whole()


async def test_blocks_that_were_left_out_are_told_to_be_missing(stage: Stage) -> None:
    assert await later(stage) == (["Kite 1"], True)


async def test_the_history_knows_what_blocks_brought_that_were_left_out(stage: Stage) -> None:
    stage.told.pages = [[entry(0, nft("Kite 2"), hash=NftNode.hash_of(1))]]
    assert await later(stage) == (["Kite 2", "Kite 1"], False)


async def test_blocks_since_the_last_look_are_asked_for_in_parts(stage: Stage) -> None:
    stage.node.head, stage.node.widest = 300, 100
    await stage.whole()
    stage.node.head = 800
    stage.node.give(1, block=450)
    stage.clock.advance(30)
    assert await stage.whole() == (["Kite 1"], False)


async def test_a_few_blocks_that_were_refused_are_asked_for_again(stage: Stage) -> None:
    await stage.whole()
    stage.node.head += 5
    stage.node.give(1, block=stage.node.head)
    stage.node.refusals = 2
    stage.clock.advance(30)
    with pytest.raises(RpcRequestError):
        await stage.whole()
    assert await stage.whole() == (["Kite 1"], False)
