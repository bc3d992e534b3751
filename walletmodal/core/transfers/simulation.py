"""Result of a simulation: what a transaction would do, as a node that ran it without sending it says."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from walletmodal.core.errors import WalletModalError
from walletmodal.core.errors.nodes import ExecutionRevertedError
from walletmodal.core.language import _
from walletmodal.core.text.display_text import clean_text

MAX_SHOWN: Final = 20
"""Movements of one direction that are told; whoever moves more hides something among them."""
MAX_REASON: Final = 200
"""Characters of a contract's own words."""

Asset = tuple[str | None, int | None]
"""A token's address (None: the native coin) and, of an NFT, its id."""


@dataclass(frozen=True, slots=True)
class Moved:
    """An amount that changes hands.

    Attributes:
        token: contract (EIP-55) or mint (base58); None for the native coin.
        amount: base units, more than zero; how many, of an NFT.
        token_id: of an NFT, else None.
    """

    token: str | None
    amount: int
    token_id: int | None = None


@dataclass(frozen=True, slots=True)
class Simulation:
    """What a transaction would do.

    Attributes:
        ran: whether a node ran it; False: not simulated, and nothing is known of what moves.
        leaves: what the sender loses, without the fee.
        arrives: what the receiver gets; what the sender gets where no receiver was named.
        failure: why it would fail, in words for the visitor; "" where nothing says that it would.
        cut: there is more than is told.
        gas: what the calls of a batch used together; 0 where nobody has counted.
    """

    ran: bool
    leaves: tuple[Moved, ...] = ()
    arrives: tuple[Moved, ...] = ()
    failure: str = ""
    cut: bool = False
    gas: int = 0


NOT_SIMULATED: Final = Simulation(ran=False)

REFUSED: Final = _(
    "The receiver, or the token's contract, refuses it without a reason. Check the receiver, the amount and the network."
)
"""Of a contract that does not say why."""


def failure_words(error: WalletModalError) -> str:
    """Why a node would not carry a transaction out, in words for the visitor."""
    if not isinstance(error, ExecutionRevertedError):
        return error.short_message
    reason = clean_text(error.reason, limit=MAX_REASON).rstrip(".")
    return _("The receiver, or the token's contract, refuses it: {reason}.", reason=reason) if reason else REFUSED


def told(sender: Mapping[Asset, int], receiver: Mapping[Asset, int]) -> Simulation:
    """The simulation of a transaction that goes through.

    Args:
        sender: by how much the sender's balances change, the fee left out.
        receiver: by how much those change of the account that is to get something; the sender's own in a swap.
    """
    leaves = _moved({asset: -change for asset, change in sender.items()})
    arrives = _moved(receiver)
    cut = len(leaves) > MAX_SHOWN or len(arrives) > MAX_SHOWN
    return Simulation(ran=True, leaves=leaves[:MAX_SHOWN], arrives=arrives[:MAX_SHOWN], cut=cut)


def _moved(changes: Mapping[Asset, int]) -> tuple[Moved, ...]:
    """Those that are more than zero, the native coin first."""
    found = [Moved(token, change, token_id) for (token, token_id), change in changes.items() if change > 0]
    return tuple(sorted(found, key=lambda one: one.token is not None))
