"""NFTs of an account on an EVM network: what is found, what is owned, what is shown of it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.features.history_double import entry, nft
from tests.services.nft_double import BADGES, KITES, OTHER, OWNER, NftNode, metadata_uri
from tests.services.nft_stage import CALLER, CHAIN, Stage, stage
from walletmodal.core.accounts.nfts import NftId
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import NetworkError, TransportError
from walletmodal.services.images import ImageError
from walletmodal.services.nfts.nfts import PAGE

__all__ = ["stage"]

SVG = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"


# What is found


async def test_what_came_and_stayed_is_shown_the_newest_first(stage: Stage) -> None:
    stage.node.give(1, block=5)
    stage.node.give(2, block=9)
    assert await stage.names() == ["Kite 2", "Kite 1"]


async def test_what_came_and_left_is_not_shown(stage: Stage) -> None:
    stage.node.give(1)
    stage.node.owners[KITES, 1] = OTHER
    stage.node.give(2)
    assert await stage.names() == ["Kite 2"]


async def test_what_was_burnt_is_not_shown(stage: Stage) -> None:
    stage.node.give(1)
    del stage.node.owners[KITES, 1]
    assert await stage.names() == []


async def test_copies_are_counted(stage: Stage) -> None:
    stage.node.give_some([1], 3)
    stage.node.give_some([7, 8], 2)
    assert [(one.id.token_id, one.amount) for one in (await stage.page()).items] == [("7", 2), ("8", 2), ("1", 3)]


async def test_what_came_twice_is_shown_once(stage: Stage) -> None:
    stage.node.give(1, block=5)
    stage.node.give(1, block=9)
    assert await stage.names() == ["Kite 1"]


async def test_transfers_of_coins_are_no_nfts(stage: Stage) -> None:
    stage.node.give(1)
    stage.node.logs[0]["topics"] = stage.node.logs[0]["topics"][:3]
    assert await stage.names() == []


@pytest.mark.parametrize(
    "broken",
    [{"topics": None}, {"topics": ["0x"]}, {"address": "nowhere"}, {"data": "0xzz"}, {"logIndex": None}, {"data": "0x" + "ff" * 64}],
)  # fmt: skip
async def test_a_log_that_makes_no_sense_takes_nothing_from_the_others(stage: Stage, broken: dict[str, Any]) -> None:
    stage.node.give_some([1, 2], 1)
    stage.node.logs[0] |= broken
    stage.node.give(3)
    assert "Kite 3" in await stage.names()


async def test_many_come_page_by_page_each_once(stage: Stage) -> None:
    for number in range(100):
        stage.node.give(number, block=number)
    first = await stage.page()
    assert (len(first.items), first.next, await stage.all_names()) == (
        PAGE,
        PAGE,
        [f"Kite {number}" for number in reversed(range(100))],
    )


async def test_a_page_asks_only_about_its_own(stage: Stage) -> None:
    for number in range(200):
        stage.node.give(number, block=number)
    await stage.page()
    assert stage.node.asked.count("eth_call") == 3 * PAGE


# How the node is asked


async def test_a_node_that_lets_us_is_asked_for_everything_at_once(stage: Stage) -> None:
    stage.node.give(1)
    await stage.page()
    assert set(stage.node.ranges) == {(0, 1000)}


async def test_a_node_that_refuses_wide_ranges_is_asked_for_narrower_ones(stage: Stage) -> None:
    stage.node.head, stage.node.widest = 200_000, 10_000
    stage.node.give(1, block=10)
    stage.node.give(2, block=199_000)
    assert await stage.all_names() == ["Kite 2", "Kite 1"]


async def test_a_page_of_a_long_chain_is_bounded_work(stage: Stage) -> None:
    stage.node.head, stage.node.widest = 25_000_000, 10_000
    await stage.page()
    assert len(stage.node.ranges) < 100


async def test_the_past_of_a_long_chain_is_not_looked_through_without_end(stage: Stage) -> None:
    stage.node.head, stage.node.widest = 25_000_000, 10_000
    assert (await stage.all_names(), len(stage.node.ranges) < 250) == ([], True)


async def test_a_node_that_refuses_everything_is_a_failure(stage: Stage) -> None:
    stage.node.widest = 0
    with pytest.raises(TransportError):
        await stage.page()


async def test_a_node_that_is_away_is_a_failure(stage: Stage) -> None:
    stage.node.down = True
    with pytest.raises(TransportError):
        await stage.page()


async def test_a_moment_later_nothing_is_looked_for_again(stage: Stage) -> None:
    stage.node.give(1)
    await stage.page()
    stage.node.ranges.clear()
    await stage.page()
    assert stage.node.ranges == []


async def test_later_only_new_blocks_are_looked_through(stage: Stage) -> None:
    stage.node.give(1)
    await stage.page()
    stage.node.ranges.clear()
    stage.node.head = 1010
    stage.node.give(2, block=1005)
    stage.clock.advance(30)
    assert (await stage.names(), set(stage.node.ranges)) == (["Kite 2", "Kite 1"], {(1001, 1010)})


async def test_after_a_transaction_new_blocks_are_looked_through_at_once(stage: Stage) -> None:
    await stage.page()
    stage.node.head = 1001
    stage.node.give(2, block=1001)
    assert await stage.names(fresh=True) == ["Kite 2"]


async def test_namespaces_without_nfts_are_not_asked(stage: Stage) -> None:
    with pytest.raises(NetworkError):
        await stage.nfts.page(CALLER, parse_chain_id("bip122:000000000019d6689c085ae165831e93"), "bc1q")


# What the history knows


async def test_the_history_leads_to_what_the_node_cannot_look_for(stage: Stage) -> None:
    stage.node.head, stage.node.widest = 25_000_000, 10_000
    stage.node.give(1, block=100)
    stage.told.pages = [[entry(0, nft("Kite 1"), hash=NftNode.hash_of(0))]]
    assert await stage.names() == ["Kite 1"]


async def test_what_the_history_calls_spam_is_hidden(stage: Stage) -> None:
    stage.node.give(1)
    stage.node.give(2)
    stage.told.pages = [[entry(0, nft("Kite 1", spam=True), hash=NftNode.hash_of(0))]]
    assert await stage.names() == ["Kite 2"]


async def test_spam_far_down_the_history_is_hidden_too(stage: Stage) -> None:
    stage.node.give(1)
    stage.told.pages = [[entry(1)], [entry(2)], [entry(0, nft("Kite 1", spam=True), hash=NftNode.hash_of(0))]]
    assert await stage.names() == []


async def test_a_history_that_is_down_takes_nothing_away(stage: Stage) -> None:
    stage.node.give(1)
    stage.told.pages, stage.told.down = [], True
    assert await stage.names() == ["Kite 1"]


async def test_what_advertises_itself_is_hidden_without_a_history(stage: Stage) -> None:
    stage.node.give(1)
    stage.node.uris[KITES, 1] = metadata_uri(name="Claim $5000 at prize.top")
    stage.node.give(2)
    assert await stage.names() == ["Kite 2"]


# What it says of itself


async def test_an_nft_is_told_in_full(stage: Stage) -> None:
    stage.node.give(7)
    stage.node.uris[KITES, 7] = metadata_uri(name="Kite 7", description="A\nkite.", image=SVG)
    (one,) = (await stage.page()).items
    assert (str(one.id).lower(), one.collection, one.description, one.picture.startswith("/images/nft/")) == (
        f"eip155:1/erc721:{KITES}/7",
        "Kites",
        "A kite.",
        True,
    )


@pytest.mark.parametrize(
    "uri", ["", "data:application/json,[]", "javascript:alert(1)", "file:///etc/passwd", "ipfs://Qm1", "data:x"]
)
async def test_without_metadata_the_collection_and_the_number_are_its_name(stage: Stage, uri: str) -> None:
    stage.node.give(7)
    stage.node.uris[KITES, 7] = uri
    (one,) = (await stage.page()).items
    assert (one.name, one.picture) == ("Kites #7", "")


async def test_a_picture_in_ipfs_needs_a_gateway(stage: Stage) -> None:
    stage.node.give(7)
    stage.node.uris[KITES, 7] = metadata_uri(name="Kite 7", image="ipfs://Qm1/7.png")
    assert [one.picture for one in (await stage.page()).items] == [""]


async def picture_of(stage: Stage) -> str:
    """The reference to the picture of the only NFT."""
    (one,) = (await stage.page()).items
    return one.picture.rpartition("/")[2]


async def test_a_drawing_of_the_contracts_own_is_served(stage: Stage) -> None:
    stage.node.give(7)
    stage.node.uris[KITES, 7] = metadata_uri(name="Kite 7", image=SVG)
    found = await stage.nfts.picture(await picture_of(stage))
    assert (found.media_type, found.content[:4]) == ("image/svg+xml", b"<svg")


async def test_what_is_no_picture_is_not_served(stage: Stage) -> None:
    stage.node.give(7)
    stage.node.uris[KITES, 7] = metadata_uri(name="Kite 7", image="data:text/html,<script>alert(1)</script>")
    with pytest.raises(ImageError) as raised:
        await stage.nfts.picture(await picture_of(stage))
    assert raised.value.refusal == "type"


async def test_a_picture_inside_the_deployments_network_is_not_fetched(stage: Stage) -> None:
    stage.node.give(7)
    stage.node.uris[KITES, 7] = metadata_uri(name="Kite 7", image="https://127.0.0.1/7.png")
    with pytest.raises(ImageError) as raised:
        await stage.nfts.picture(await picture_of(stage))
    assert raised.value.refusal in ("url", "address")


@pytest.mark.parametrize("reference", ["", "made.up", "A" * 22 + ".ZWlwMTU1"])
async def test_only_what_was_signed_is_served(stage: Stage, reference: str) -> None:
    with pytest.raises(ImageError) as raised:
        await stage.nfts.picture(reference)
    assert raised.value.refusal == "reference"


# One of them


async def test_one_is_told_as_long_as_the_account_has_it(stage: Stage) -> None:
    stage.node.give_some([7], 3)
    which = NftId(CHAIN, "erc1155", BADGES, "7")
    one = await stage.nfts.one(which, OWNER)
    stage.node.amounts[BADGES, 7] = 0
    assert (one and (one.name, one.amount), await stage.nfts.one(which, OWNER)) == (("Kite 7", 3), None)
