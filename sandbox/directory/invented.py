"""Wallets that nobody makes: they fill the catalogue to the length of a real one, with its gaps and oddities."""

import hashlib
import json
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from importlib.resources import files
from typing import Final

from walletmodal.sandbox.directory.chance import Chance

COUNT: Final = 590
"""How many are invented."""

_MAIN: Final = ("eip155:1", "eip155:137", "eip155:10", "eip155:8453", "eip155:42161")
_FURTHER: Final = (
    *("eip155:56", "eip155:100", "eip155:130", "eip155:146", "eip155:250", "eip155:324", "eip155:1101", "eip155:1284"),
    *("eip155:1329", "eip155:2741", "eip155:5000", "eip155:7777777", "eip155:8217", "eip155:42220", "eip155:43114"),
    *("eip155:59144", "eip155:80094", "eip155:534352", "eip155:1313161554", "eip155:11155111", "eip155:84532"),
)
_SOLANA: Final = "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
_BITCOIN: Final = "bip122:000000000019d6689c085ae165831e93"
_POLKADOT: Final = "polkadot:91b171bb158e2d3848fa23a9f1c25182"

_KINDS: Final = (
    *(("mobile",),) * 8,
    *(("mobile", "browser"),) * 6,
    *(("browser",),) * 3,
    *(("desktop", "mobile"),) * 2,
    *(("web",),) * 2,
    *(("web", "mobile", "browser"),) * 2,
    *(("desktop", "web", "mobile", "browser"),) * 1,
)


def invent(taken: AbstractSet[str]) -> Iterator[dict[str, object]]:
    """The invented wallets, the same on every machine.

    Args:
        taken: names that are others' already.
    """
    made = 0
    for name in _names():
        if made == COUNT:
            return
        if name not in taken:
            made += 1
            yield _invented(name)


def _names() -> Iterator[str]:
    # Round by round, so that neighbours in the list differ; each round begins elsewhere.
    words = json.loads(files(__package__).joinpath("names.json").read_text("utf-8"))
    first: list[str] = words["first"]
    for turn, second in enumerate(words["second"]):
        for place in range(len(first)):
            yield f"{first[(place * 40 + turn * 11) % len(first)]} {second}"


def _invented(name: str) -> dict[str, object]:
    chance = Chance(f"wallet {name}")
    slug = name.lower().replace(" ", "-")
    scheme, host = slug.replace("-", ""), f"https://{slug}.example"
    kind = frozenset(chance.one_of(_KINDS))
    chains = _chains(chance)
    rdns = f"example.{scheme}" if "browser" in kind and chance.happens(75) else None
    return {
        "id": hashlib.sha256(f"walletmodal sandbox: {name}".encode()).hexdigest(),
        "name": name,
        "badge_type": "certified" if chance.happens(22) else "none",
        "description": f"{name} is an invented wallet of the sandbox." if chance.happens(60) else None,
        "chains": chains,
        "homepage": host if chance.happens(92) else None,
        "mobile_link": _mobile_link(chance, scheme, host) if "mobile" in kind else None,
        "desktop_link": f"{scheme}-desktop://" if "desktop" in kind else None,
        "webapp_link": f"https://web.{slug}.example" if "web" in kind else None,
        "link_mode": f"{host}/link" if "mobile" in kind and chance.happens(15) else None,
        "app_store": f"https://apps.example/ios/{slug}" if "mobile" in kind and chance.happens(80) else None,
        "play_store": f"https://apps.example/android/{slug}" if "mobile" in kind and chance.happens(80) else None,
        "chrome_store": f"https://extensions.example/{slug}" if "browser" in kind and chance.happens(85) else None,
        "rdns": rdns,
        "injected": _injected(chance, name, chains) if "browser" in kind and chance.happens(70) else None,
    }


def _mobile_link(chance: Chance, scheme: str, host: str) -> str:
    return host if chance.happens(12) else f"{scheme}://"


def _chains(chance: Chance) -> list[str]:
    evm = [*chance.some_of(_MAIN, chance.between(2, 5)), *chance.some_of(_FURTHER, chance.between(0, 8))]
    kind = chance.below(100)
    if kind < 58:
        return ["eip155:1", *(chain for chain in evm if chain != "eip155:1")]
    if kind < 78:
        return [*evm, _SOLANA, *([_BITCOIN] if chance.happens(40) else [])]
    if kind < 84:
        return [_SOLANA]
    if kind < 88:
        return [_BITCOIN]
    if kind < 91:
        return [_POLKADOT]
    return [chance.one_of((*_MAIN, *_FURTHER))]


def _injected(chance: Chance, name: str, chains: list[str]) -> list[dict[str, str]]:
    namespaces = sorted({chain.partition(":")[0] for chain in chains})
    flag = f"is{name.replace(' ', '')}"
    return [{"namespace": one, "injected_id": flag} for one in namespaces[: chance.between(1, 2)]]
