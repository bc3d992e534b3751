"""Sponsorship: what an operator pays for, for whom, and at most how much of it in a day."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

from walletmodal.core.requests.typed_request import HostedRequest

WINDOW: Final = timedelta(days=1)
"""Over which spending is counted; it moves along, so that midnight gives nobody a second day."""
LINE_SHARE: Final = 10
"""How many visitors' shares one internet line has: an office, or everybody behind one proxy."""


@dataclass(frozen=True, slots=True)
class SponsorLimits:
    """The most that is paid on a network within a day, in base units of its native coin: for one visitor, and for all together."""

    visitor: int
    everybody: int


@dataclass(frozen=True, slots=True)
class Beneficiary:
    """For whom is paid.

    Attributes:
        chain: CAIP-2 id.
        account: its address.
        browser: the key of the browser's secret, "" where it keeps none.
        line: the client's address, or the network of its line.
    """

    chain: str
    account: str
    browser: str
    line: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Spent:
    """What has been paid or promised within a day, in base units, rounded up."""

    visitor: int
    everybody: int


@dataclass(frozen=True, slots=True)
class Sponsorship:
    """What an operator's policy decides about: whether to pay for a request.

    Attributes:
        request: what is asked for: its method, calls, account and page.
        cost: what it costs at most, in base units of the native coin.
        spent_by_visitor: within a day, for this visitor; spent: for all together, on this network.
    """

    request: HostedRequest
    cost: int
    spent_by_visitor: int
    spent: int
