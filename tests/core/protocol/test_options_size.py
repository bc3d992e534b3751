"""How much of a host's options a session keeps."""

import pytest

from walletmodal.core.protocol.limits import text_bytes
from walletmodal.core.protocol.options import HostOptions, read_options
from walletmodal.core.protocol.options_size import MAX_OPTIONS_BYTES, limit_options


def picture(size: int, first: str = "a") -> str:
    """A picture whose URL has so many characters."""
    return f"data:image/svg+xml,{first}".ljust(size, "a")


def options(**given: object) -> HostOptions:
    """What is read of a host's options, as a test knows them in the wire's names."""
    read = read_options(given)
    assert read.warnings == ()
    return read.options


def test_ordinary_options_are_kept_as_they_are() -> None:
    given = options(
        metadata={"name": "Shop", "icons": [picture(8_000)]},
        connectorImages={"a": picture(8_000)},
        chainImages={f"eip155:{n}": "https://example.com/chain.png" for n in range(100)},
        customWallets=[{"id": f"w{n}", "name": "W", "image_url": picture(4_000)} for n in range(6)],
        featuredWalletIds=["x" * 64] * 20,
    )
    assert limit_options(given) == (given, "")


def test_the_largest_picture_is_left_out_first_and_named() -> None:
    given = options(connectorImages={"large": picture(40_000), "small": picture(30_000)})
    kept, told = limit_options(given)
    assert (list(kept.connector_images), told) == (
        ["small"],
        "The options are larger than 64 kB together: connectorImages.large left out. Give pictures as https URLs.",
    )


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"chainImages": {"eip155:1": picture(60_000)}}, "chainImages.eip155:1"),
        ({"metadata": {"icons": [picture(60_000)]}}, "metadata.icons[0]"),
        ({"customWallets": [{"id": "w", "name": "W", "image_url": picture(60_000)}]}, "customWallets[0].image_url"),
    ],
)
def test_pictures_of_every_option_count(given: dict[str, object], name: str) -> None:
    kept, told = limit_options(options(connectorImages={"other": picture(50_000)}, **given))
    assert (name in told, list(kept.connector_images)) == (True, ["other"])


def test_a_wallet_without_its_picture_stays() -> None:
    wallets = [{"id": f"w{n}", "name": "W", "image_url": picture(50_000)} for n in range(2)]
    kept, _ = limit_options(options(customWallets=wallets))
    assert [(wallet.id, bool(wallet.image_url)) for wallet in kept.custom_wallets] == [("w0", False), ("w1", True)]


def test_options_that_are_too_large_without_pictures_are_left_out_whole() -> None:
    ids = [f"{n:0128d}" for n in range(300)]
    kept, told = limit_options(options(featuredWalletIds=ids[:250], excludeWalletIds=ids, debug=False))
    assert (kept.exclude_wallet_ids, len(kept.featured_wallet_ids), kept.debug) == ((), 250, False)
    assert "excludeWalletIds left out" in told


def test_at_most_eight_are_named() -> None:
    _, told = limit_options(options(chainImages={f"eip155:{n}": picture(10_000) for n in range(20)}))
    assert "and 6 more left out" in told


def test_a_wide_text_counts_as_what_it_takes() -> None:
    kept, _ = limit_options(options(connectorImages={"a": picture(15_000, "\U0001f600"), "b": picture(15_000)}))
    assert list(kept.connector_images) == ["b"]


def test_whatever_is_given_at_most_so_much_is_kept() -> None:
    given = options(
        connectorImages={f"w{n}": picture(14_000, "\U0001f600") for n in range(8)},
        chainImages={f"eip155:{n}": picture(60_000) for n in range(8)},
        metadata={"icons": [picture(60_000)] * 8},
        customWallets=[
            {"id": f"w{n:0100d}", "name": "W" * 40, "homepage": "https://e.example/" + "x" * 2_000} for n in range(50)
        ],
        **{f"{kind}WalletIds": [f"{n:0128d}" for n in range(500)] for kind in ("featured", "include", "exclude")},
    )
    assert text_bytes(limit_options(given)[0]) <= MAX_OPTIONS_BYTES
