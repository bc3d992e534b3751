"""The shape of a resume record: what another release wrote, or a hand changed, is not put into a session unseen.

The releases before and after read it too, since pages move between servers while these are replaced: what is added has a default, and what
this release does not know is left out.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, Strict

from walletmodal.core.chains.caip import NAMESPACES, Namespace, parse_chain_id
from walletmodal.core.errors import CaipError
from walletmodal.core.language.kept import KeptText
from walletmodal.core.protocol.views import VIEWS
from walletmodal.core.transfers.fees import Speed
from walletmodal.core.wallets.platforms import Platform
from walletmodal.features.embedded.payers import MAX_FEE_TOKENS
from walletmodal.features.pairing.target import NO_TARGET
from walletmodal.features.send.plan import PLAN_FIELDS
from walletmodal.features.swap.plan import SWAP_PLAN_FIELDS


def _known(view: str) -> str:
    if view not in VIEWS:
        raise ValueError("not a view of this release")
    return view


def _up_to_unknown(stack: Any) -> Any:
    """The views below the first that only another release has."""
    if not isinstance(stack, list):
        return stack
    return list(takewhile(lambda entry: not isinstance(entry, list) or not entry or entry[0] in VIEWS, stack))


def _network(text: str) -> str:
    try:
        return str(parse_chain_id(text)) if text else ""
    except CaipError as error:
        raise ValueError("not a network") from error


def _whole_target(wallet: dict[str, str]) -> dict[str, str]:
    if wallet.keys() != NO_TARGET.keys():
        raise ValueError("not a wallet of this release")
    return wallet


def _whole_plan(plan: Any) -> Any:
    """A preview of this release; one of another is made afresh."""
    return plan if isinstance(plan, dict) and plan.keys() == PLAN_FIELDS else None


def _whole_swap_plan(plan: Any) -> Any:
    return plan if isinstance(plan, dict) and plan.keys() == SWAP_PLAN_FIELDS else None


BuiltView = Annotated[str, AfterValidator(_known)]
ChainText = Annotated[str, AfterValidator(_network)]
"""A CAIP-2 id, or ""."""

_Text = Annotated[str, Field(max_length=64 * 1024)]
_Names = Annotated[list[_Text], Field(max_length=8)]
StackEntry = Annotated[tuple[BuiltView, KeptText], Strict(strict=False)]
"""One entry of the view stack: view, title."""


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="ignore")


class ShellPart(_Part):
    """Where the visitor was."""

    stack: Annotated[list[StackEntry], BeforeValidator(_up_to_unknown), Field(min_length=1, max_length=32)]
    open: bool
    after_connect: BuiltView | Literal[""]


class CommandPart(_Part):
    """A pending command (docs/protocol.md §3)."""

    id: _Text
    epoch: _Text
    replay: bool
    method: _Text
    params: dict[str, Any]


class StepPart(_Part):
    """What continues with a pending command's reply."""

    then: _Text
    context: dict[str, Any]
    calls: list[_Text]


class WaitingPart(_Part):
    """A request of the host that waits for the visitor to connect."""

    call: _Text
    method: _Text


class ConnectPart(_Part):
    """The wallet being connected, or the one whose namespace is to be chosen."""

    connector: _Text
    namespace: Namespace
    wallet_name: _Text
    phase: Literal["idle", "connecting", "error"]
    error: _Text
    choices: Annotated[list[Namespace], Field(max_length=len(NAMESPACES))]
    command: _Text
    offered: _Text


class NetworksPart(_Part):
    """The active network, and the one being switched to."""

    active: ChainText
    target: ChainText
    target_name: _Text
    phase: Literal["idle", "switching", "error"]
    error: _Text
    command: _Text
    last: dict[Namespace, ChainText]


class ChoicePart(_Part):
    """The account that the visitor prefers to the wallet's first."""

    connector: _Text
    first: _Text
    address: _Text


class TabPart(_Part):
    """One tab above the panes."""

    id: Platform
    label: _Text


class PairingPart(_Part):
    """The wallet that a pairing is meant for, and how far it is."""

    wallet: Annotated[dict[str, _Text], AfterValidator(_whole_target)]
    tabs: Annotated[list[TabPart], Field(max_length=8)]
    browser: Annotated[list[_Text], Field(max_length=2)]
    pane: Platform
    phase: Literal["idle", "waiting", "error"]
    error: _Text
    namespace: _Text
    command: _Text
    asked: bool
    linked: bool
    ahead: bool = False


class SendPart(_Part):
    """What was entered to be sent, and what the wallet has of it. `plan` is what the preview says of that."""

    token: _Text
    symbol: _Text
    icon: _Text
    amount: _Text
    receiver: _Text
    host: _Text = ""
    filled_in: _Names = []
    speed: Speed
    question: _Text
    plan: Annotated[dict[str, Any] | None, BeforeValidator(_whole_plan)]


class SwapPart(_Part):
    """What was entered to be swapped, and what the wallet or the network has of it. `plan` is what the preview says of that."""

    source: _Text
    target: _Text
    amount: _Text
    slippage: _Text
    own_slippage: _Text
    host: _Text
    filled_in: _Names = []
    phase: Literal["", "asking", "approving"]
    question: _Text
    plan: Annotated[dict[str, Any] | None, BeforeValidator(_whole_swap_plan)]


class FeeOptionPart(_Part):
    """What the network fee of a request may be paid in. `held`: base units, decimal text."""

    token: _Text
    symbol: _Text
    decimals: Annotated[int, Field(ge=0, le=255)]
    held: Annotated[str, Field(pattern=r"^[0-9]{1,78}$")]
    enough: bool


class ApproveEntryPart(_Part):
    """A request that waits for the visitor's word."""

    call: _Text
    namespace: Namespace
    method: _Text
    params: Any
    account: _Text
    chain: ChainText
    reason: _Text
    fees: Annotated[list[FeeOptionPart], Field(max_length=MAX_FEE_TOKENS + 1)] = []
    stamp: _Text = ""
    trace: _Text = ""


class ApprovePart(_Part):
    """The requests that the visitor is asked for. `lost`: those that were too large to be kept, to be settled."""

    waiting: Annotated[list[ApproveEntryPart], Field(max_length=16)]
    asking: _Text
    place: int
    total: int
    lost: Annotated[list[_Text], Field(max_length=32)]


class SignInPart(_Part):
    """What a wallet is asked to sign, and the host's calls that wait. Nobody is signed in by it."""

    about: _Text
    command: _Text
    calls: Annotated[list[_Text], Field(max_length=16)]
    waiting: Annotated[list[Annotated[list[_Text], Field(min_length=2, max_length=2)]], Field(max_length=16)]


class PurchasePart(_Part):
    """A purchase that was begun on a provider's page."""

    provider: Literal["coinbase", "meld"]
    label: _Text
    url: _Text
    phase: Literal["waiting", "failed"]
    blocked: bool
    unknown: bool
    since: float
    of: _Text
    origin: _Text


class OnrampPart(_Part):
    """What is to be bought, and what was begun."""

    token: _Text
    currency: _Text
    amount: _Text
    host: _Text
    purchase: PurchasePart | None


class SignatureRequestPart(_Part):
    """What a wallet is asked to sign for a name."""

    about: _Text
    name: _Text
    message: _Text
    at: float


class NamesPart(_Part):
    """The name that was typed, the one that was registered, and what the wallet has signed for one."""

    typed: _Text
    note: _Text
    done: _Text
    asked: SignatureRequestPart | None
    label: _Text
    command: _Text
    signature: _Text
    took: float


class QuestionPart(_Part):
    """What the secure site's frame is asked."""

    id: _Text
    type: Literal[
        "CONNECT_EMAIL",
        "RESEND_CODE",
        "CONNECT_DEVICE",
        "RECOVERY",
        "RECOVERY_WAYS",
        "CONNECT_PASSKEY",
        "PASSKEY_OFFER",
        "PASSKEY_LIST",
        "PASSKEY_ADD",
        "PASSKEY_REMOVE",
        "CONNECT_SOCIAL",
        "GET_SOCIAL_RETURN",
        "GET_FARCASTER_URI",
        "CONNECT_FARCASTER",
    ]
    payload: dict[str, _Text]


class EmbeddedPart(_Part):
    """A login by email, and how far it is."""

    email: _Text
    words: _Text
    sent: _Text
    wait: int
    phase: Literal["idle", "connecting", "failed", "looking", "none", "recovering"]
    error: _Text
    ways: Annotated[list[Literal["passkey", "window", "password", "code"]], Field(max_length=4)] = []
    hold: _Text = ""
    deletion: _Text = ""
    command: _Text
    mailed: float
    way: Literal["email", "passkey", "google", "x", "discord", "farcaster", "github", "apple", "facebook"] = "email"
    awaits: Literal["", "EmailVerifyOtp", "EmailVerifyDevice"] = ""
    awaits_on: _Text = ""
    question: QuestionPart | None


Provider = Literal["google", "x", "discord", "farcaster", "github", "apple", "facebook"]


class AwaitedPart(_Part):
    """A login with an account elsewhere whose end is not known yet."""

    provider: Provider
    attempt: _Text
    link: _Text
    since: float
    on: _Text


class SocialPart(_Part):
    """A login with an account elsewhere, and how far it is."""

    provider: Provider | Literal[""]
    attempt: _Text
    blocked: bool
    resumed: bool = False
    awaited: AwaitedPart | None = None
    error: _Text
    link: _Text
    left: bool = False
    question: QuestionPart | None


class PasskeysPart(_Part):
    """What the frame is asked about passkeys; their list is loaded anew."""

    phase: Literal["loading", "shown", "failed", "adding", "removing", "asking"]
    error: _Text
    offer: Literal["", "asked", "awaited", "wanted"]
    question: QuestionPart | None


class ResumeRecord(_Part):
    """Everything that a lost session gets back."""

    shell: ShellPart
    epoch: _Text
    origin: _Text = ""
    commands: Annotated[list[CommandPart], Field(max_length=64)]
    records: dict[str, StepPart]
    waiting: list[WaitingPart]
    connect: ConnectPart
    networks: NetworksPart
    accounts: dict[Namespace, ChoicePart]
    pairing: PairingPart | None = None
    send: SendPart | None = None
    swap: SwapPart | None = None
    approve: ApprovePart | None = None
    sign_in: SignInPart | None = None
    onramp: OnrampPart | None = None
    names: NamesPart | None = None
    embedded: EmbeddedPart | None = None
    passkeys: PasskeysPart | None = None
    social: SocialPart | None = None
    followed: _Text = ""
    awaited: dict[_Text, _Text] = {}
    answers: dict[_Text, Any] = {}
