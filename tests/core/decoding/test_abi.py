"""Arguments of contracts: read where every contract reads them alike, and never at length."""

import time
from typing import Any

import pytest
from eth_abi.abi import encode

from walletmodal.core.decoding.abi import argument_types, canonical_values

A = "0x" + "11" * 20


@pytest.mark.parametrize(
    ("types", "values"),
    [
        (["((address,uint256),uint256)"], (((A, 5), 6),)),
        (["((uint8,(uint8,uint8)),bool)[]"], ((((1, (2, 3)), True), ((4, (5, 6)), False)),)),
        (["(((uint8,uint8),uint8),uint8)", "(bytes,((bool,bool),bool))"], ((((1, 2), 3), 4), (b"x", ((True, False), True)))),
        (["(address,(uint256,uint256),bytes)[]"], (((A, (1, 2), b"x"),),)),
    ],
)  # fmt: skip
def test_tuples_within_tuples_are_read(types: list[str], values: tuple[Any, ...]) -> None:
    assert canonical_values(types, encode(types, values)) == values


def test_a_list_that_points_to_the_same_bytes_again_and_again_is_not_read_through() -> None:
    count, long = 8_000, 128 * 1024
    pointers = b"".join((count * 32).to_bytes(32, "big") for _ in range(count))
    data = (32).to_bytes(32, "big") + count.to_bytes(32, "big") + pointers + long.to_bytes(32, "big") + bytes(long)
    began = time.process_time()
    assert canonical_values(["bytes[]"], data) is None
    assert time.process_time() - began < 1


@pytest.mark.parametrize(
    ("signature", "types"),
    [
        ("f()", []),
        ("f(uint8)", ["uint8"]),
        ("f((address,(uint8,bytes))[],uint256)", ["(address,(uint8,bytes))[]", "uint256"]),
    ],
)
def test_the_types_of_arguments_are_told_apart(signature: str, types: list[str]) -> None:
    assert argument_types(signature) == types
