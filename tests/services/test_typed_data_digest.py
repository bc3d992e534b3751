"""The digest of typed data. What it must be is what viem's `hashTypedData` makes of the same."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from walletmodal.core.errors import ShapeError
from walletmodal.services.chains.eip155.typed_data import typed_data_digest

DOMAIN_TYPE: Final = [
    {"name": "name", "type": "string"},
    {"name": "version", "type": "string"},
    {"name": "chainId", "type": "uint256"},
    {"name": "verifyingContract", "type": "address"},
]
PLAIN: Final = "e2963954d7eeeb96ebcbf50e9f618f6c8b63fc05e56de6a21c307d0a4f47447f"
Change = Callable[[Any], object]


def mail(change: Change) -> Any:
    given = {
        "types": {
            "Mail": [{"name": "to", "type": "Person"}, {"name": "x", "type": "uint256"}],
            "Person": [{"name": "n", "type": "string"}],
        },
        "primaryType": "Mail",
        "domain": {"name": "A", "version": "1", "chainId": 1, "verifyingContract": "0x" + "11" * 20},
        "message": {"to": {"n": "hi"}, "x": 5},
    }
    change(given)
    return given


CASES: dict[str, tuple[Change, str]] = {
    "as it is": (lambda _: None, PLAIN),
    "a type that nothing uses": (lambda m: m["types"].update(Other=[{"name": "a", "type": "uint8"}]), PLAIN),
    "a type of types that are not there": (lambda m: m["types"].update(Other=[{"name": "a", "type": "No"}]), PLAIN),
    "a field that no domain has": (lambda m: m["domain"].update(foo="x"), PLAIN),
    "a field of the domain that is null": (lambda m: m["domain"].update(salt=None), PLAIN),
    "the domain's type": (lambda m: m["types"].update(EIP712Domain=DOMAIN_TYPE), PLAIN),
    "a field that the domain's type has not": (
        lambda m: (m["types"].update(EIP712Domain=DOMAIN_TYPE), m["domain"].update(salt="0x" + "00" * 32)),
        PLAIN,
    ),
    "fields of the message that its types do not name": (
        lambda m: (m["message"].update(y=1), m["message"]["to"].update(y=1)),
        PLAIN,
    ),
    "a domain of fewer fields": (
        lambda m: m["types"].update(EIP712Domain=DOMAIN_TYPE[:2]),
        "258d2c6ba4884b90ee4f5245b587083c45a11bc10b790bbcba5a9a67d6bb5053",
    ),
    "a domain of other fields": (
        lambda m: (
            m["types"].update(EIP712Domain=[*DOMAIN_TYPE, {"name": "foo", "type": "string"}]),
            m["domain"].update(foo="bar"),
        ),
        "07a2dd33e1f448ede40cdc805ef00f519395b4f7f9f35ec7afda5109a9c76758",
    ),
    "no domain": (
        lambda m: m.update(domain={}),
        "cca6efd954753b8506f18346568619e8ef2443bd1fd6756e5df11ce7049f789f",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_the_types_name_is_signed_and_nothing_else(name: str) -> None:
    change, digest = CASES[name]
    assert typed_data_digest(mail(change)).hex() == digest


@pytest.mark.parametrize(
    "change",
    [
        lambda m: m["message"].pop("x"),
        lambda m: m.update(primaryType="Letter"),
        lambda m: m.pop("types"),
        lambda m: m.update(domain=None),
        lambda m: m["types"].update(Mail=5),
    ],
)
def test_what_is_no_typed_data_has_no_digest(change: Change) -> None:
    with pytest.raises(ShapeError):
        typed_data_digest(mail(change))
