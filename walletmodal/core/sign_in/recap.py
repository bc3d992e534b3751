"""ReCap: methods that a wallet may be asked, as part of a signed sign-in (EIP-5573): the last resource of the message, and a sentence of its statement."""

import base64
import binascii
import json
from collections.abc import Collection, Sequence
from typing import Final

from walletmodal.core.errors import ProtocolError
from walletmodal.core.parsing.strict_json import read_json
from walletmodal.core.protocol.limits import check_limits

RECAP: Final = "urn:recap:"
RECAP_SENTENCE: Final = "I further authorize the stated URI to perform the following actions on my behalf: "
MAX_RECAP: Final = 32_768
"""Characters: wallets name each network once for each method."""
_NAMESPACE: Final = "eip155"
_ABILITY: Final = "request/"


def recap_of(methods: Sequence[str]) -> str:
    """The resource that asks for methods of eip155, on all networks of the sign-in."""
    unlimited: list[dict[str, object]] = [{}]
    abilities = {_ABILITY + method: unlimited for method in sorted(methods, key=_as_people_sort)}
    text = json.dumps({"att": {_NAMESPACE: abilities}}, separators=(",", ":"))
    return RECAP + base64.b64encode(text.encode()).rstrip(b"=").decode("ascii")


def granted_methods(resource: str, *, methods: Collection[str], chains: Collection[str]) -> list[str] | None:
    """The methods that a wallet grants by a resource; None where it is no recap, or grants anything that was not asked for.

    Args:
        resource: the last one of what was signed; wallets leave methods out, and name networks.
        methods: those that were asked for.
        chains: CAIP-2 ids of the networks that were.
    """
    body = resource.removeprefix(RECAP)
    if body == resource or len(resource) > MAX_RECAP:
        return None
    try:
        found = read_json(base64.b64decode(body + "=" * (-len(body) % 4), validate=True))
    except (ValueError, binascii.Error):
        return None
    if not isinstance(found, dict) or not found.keys() <= {"att", "prf"} or found.get("prf", []) != []:
        return None
    attributed = found.get("att")
    abilities = attributed.get(_NAMESPACE) if isinstance(attributed, dict) and len(attributed) == 1 else None
    if not isinstance(abilities, dict) or not abilities:
        return None
    names = [name.removeprefix(_ABILITY) for name in abilities]
    asked = all(_ABILITY + name in abilities and name in methods for name in names)
    return names if asked and all(_is_within(limits, chains) for limits in abilities.values()) else None


def read_recap(resource: str) -> dict[str, dict[str, list[object]]] | None:
    """Any recap: what may be done, by whose resource and by ability, with the limits of each. None where it cannot be read."""
    body = resource.removeprefix(RECAP)
    try:
        # Wallets and sites write either alphabet of base64.
        found = read_json(
            base64.b64decode(body.replace("-", "+").replace("_", "/") + "=" * (-len(body) % 4), validate=True)
        )
        check_limits(found)
    except (ValueError, binascii.Error, ProtocolError):
        return None
    attributed = found.get("att") if isinstance(found, dict) else None
    if not isinstance(attributed, dict) or not attributed:
        return None
    for abilities in attributed.values():
        if not isinstance(abilities, dict) or not all(isinstance(limits, list) for limits in abilities.values()):
            return None
    return attributed


def recap_statements(statement: str, methods: Sequence[str]) -> list[str]:
    """How wallets write the statement with the sentence of a recap; the first as the SDK's of JavaScript does, which sorts as people do."""
    orders = (sorted(methods, key=_as_people_sort), sorted(methods))
    before = f"{statement} " if statement else ""
    named = ("', '".join(order) for order in orders)
    return list(dict.fromkeys(f"{before}{RECAP_SENTENCE}(1) 'request': '{names}' for 'eip155'." for names in named))


def _is_within(limits: object, chains: Collection[str]) -> bool:
    """Whether limits of a method are none, or some of the networks that were asked for."""
    if not isinstance(limits, list) or len(limits) != 1 or not isinstance(limits[0], dict):
        return False
    (limit,) = limits
    named = limit.get("chains", [])
    return limit.keys() <= {"chains"} and isinstance(named, list) and all(chain in chains for chain in named)


def _as_people_sort(name: str) -> tuple[str, str]:
    # The underscore before all letters, which differ by their case only where nothing else does.
    return name.lower().replace("_", " "), name.swapcase()
