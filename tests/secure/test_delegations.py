"""The delegations that the tests of the secure site's page read are those that the modal's server writes."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Final

from tests.core.permissions.samples import DAY, FIVE_MINTS, FRIEND, NOW, SHOP, TEN_A_DAY, delegation
from walletmodal.core.permissions.permission import Permission

FILE: Final = Path(__file__).parents[2] / "secure" / "web" / "tests" / "delegations.json"
MADE: Final = {
    "periodic": TEN_A_DAY,
    "endless": replace(TEN_A_DAY, until=None),
    "unlimited": replace(TEN_A_DAY, amount=2**200),
    "native": Permission("native-token-allowance", 10**18, NOW, until=NOW + DAY, payees=(FRIEND,), redeemers=(SHOP,)),
    "calls": FIVE_MINTS,
    "stream": Permission("native-token-stream", 5, NOW, initial=1, maximum=10**18, until=NOW + DAY),
}


def test_the_page_reads_what_the_server_writes() -> None:
    assert json.loads(FILE.read_text("utf-8")) == {name: delegation(one).typed_data(1) for name, one in MADE.items()}
