"""A host's theme variables: only what they are meant to be, and within bounds in which texts can be read."""

import pytest

from tests.cases import every_case
from walletmodal.core.protocol.theme_variables import BOUNDS, check_theme_variables


@pytest.mark.parametrize(
    ("name", "value", "used"),
    [
        ("--w3m-font-size-master", "0px", "8px"),
        ("--w3m-font-size-master", "0.1rem", "8px"),
        ("--w3m-font-size-master", "999px", "14px"),
        ("--w3m-font-size-master", "13px", "13px"),
        ("--w3m-font-size-master", "0.75rem", "0.75rem"),
        ("--w3m-border-radius-master", "500px", "10px"),
        ("--w3m-border-radius-master", "0px", "0px"),
        ("--w3m-z-index", "0", "1"),
        ("--w3m-z-index", 5, "5"),
    ],
)
def test_a_value_out_of_bounds_is_the_nearest_within(name: str, value: object, used: str) -> None:
    kept, warnings = check_theme_variables({name: value})
    assert (kept, len(warnings)) == ({name: used}, int(str(value) != used))


@every_case("name", BOUNDS)
@every_case("value", ["-5", "-5px", "calc(0px)", "1e9px", "var(--other)", "1.5.5", "", "NaN", "0px;color:red"])
def test_what_is_no_plain_value_is_not_used(name: str, value: str) -> None:
    assert check_theme_variables({name: value})[0] == {}
