"""Record of an RPC method. Each namespace has a table of them: `core/namespaces/<namespace>/methods.py`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from walletmodal.core.errors.rpc import RpcError
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.parsing.schema import INVALID, MISSING, Schema
from walletmodal.core.permissions.dangers import Danger
from walletmodal.core.requests.answers import Answer
from walletmodal.core.requests.shapes import LIST, Params
from walletmodal.core.requests.summary_other import other_summary
from walletmodal.core.requests.summary_parts import Limits, Summary, Tokens
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.sign_in.message import SignInMessage

MethodKind = Literal["node", "page", "wallet_read", "wallet", "account", "modal"]
"""Who answers.

node: a node, over HTTP. page: the loader, from what it knows. wallet_read: the wallet, and nobody has to agree. wallet: the wallet, after
checks, policy and the visitor. account: the modal, as soon as an account is connected. modal: the modal itself
(`features/requests/modal_methods.py`)."""

FilterUse = Literal["", "makes", "names"]
"""makes: a node keeps a filter from now on. names: the first parameter is the id of a filter, which one node has and no other."""


@dataclass(frozen=True, slots=True)
class NamedChains:
    """The chains that a request names, each of which must be the one that the wallet is on.

    Attributes:
        read: of its parameters; None for a place that names none.
        what: that is for these chains, in the words of a refusal.
        elsewhere: its standard lets it name a chain that the wallet is not on, and has a code (5710) for one that nobody offers.
    """

    read: Callable[[Any], Iterable[object]]
    what: str = "transaction"
    elsewhere: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """Several calls in one request (EIP-5792).

    Attributes:
        count: how many, told of unchecked parameters before anything of them is looked at.
        bundle: the id that the host has given them, of unchecked parameters; None for none.
        lacks: what they insist on and the wallet cannot do, by its answer to `wallet_getCapabilities` and the chain in hex.
    """

    count: Callable[[Any], int]
    bundle: Callable[[Any], object]
    lacks: Callable[[Any, object, str], RpcError | None]


@dataclass(frozen=True, slots=True)
class MethodSpec:
    """One RPC method.

    Attributes:
        name: its case exact.
        kind: who answers it.
        params: the shape of its parameters.
        most: how many entries of a list something is read of: further ones would reach the wallet unseen.
        documented: its parameters in JSON Schema, for the OpenAPI document; None where they are a list of anything.
        paired: pairings ask wallets for it.
        repeatable: it only reads, so asking again, or asking once for several, makes no difference.
        filter: what it has to do with a filter of a node.
        accounts: which accounts it names beside the one that signs; all must be the page's.
        signer: which account is to sign, of unchecked parameters and of the account that signs where they name none.
        chains: which chains it names.
        batch: how several calls are told from its parameters.
        optional: not every wallet has it, so the wallet is asked for what it can do before the visitor is.
        opaque: what it does stands in bytes that are not read here, or not wholly.
        read: the fields of a `HostedRequest` that its parameters ask for (`readers.py`).
        summary: the same in words for the visitor.
        dangers: what speaks against the permissions that it would grant.
        sends: what it is asked for is put on record before the wallet is asked.
        answer: reads the wallet's answer, where it is or becomes a transaction.
        signs: the method that a wallet is asked with instead where it signs, but does not send.
        sign_in: its parameters where it signs the message of a sign-in; one method of each namespace does.
        granted: the answer to a request for accounts, or for what the page may do with them.
        variant: another method under the same name, and which parameters are meant for it.
    """

    name: str
    kind: MethodKind
    params: Schema[Params] = LIST
    most: int | None = None
    documented: Mapping[str, Any] | None = None
    paired: bool = False
    repeatable: bool = False
    filter: FilterUse = ""
    accounts: Callable[[Any], Iterable[Any]] = field(default=lambda _params: ())
    signer: Callable[[Any, str], Any] = field(default=lambda _params, first: first)
    chains: NamedChains | None = None
    batch: Batch | None = None
    optional: bool = False
    opaque: bool = False
    read: Callable[[Any], Mapping[str, Any]] = field(default=lambda _params: {})
    summary: Callable[[HostedRequest, Limits, Tokens], Summary] = other_summary
    dangers: Callable[[HostedRequest], tuple[Danger, ...]] = field(default=lambda _request: ())
    sends: bool = False
    answer: Callable[[Any], Answer] | None = None
    signs: str = ""
    sign_in: Callable[[SignInMessage], Any] | None = None
    granted: Callable[[Sequence[str]], list[Any]] | None = None
    variant: "tuple[Callable[[Any], bool], MethodSpec] | None" = None

    def check(self, params: object = None) -> Params:
        """Checks the parameters; returns them as they may be sent on: lists and objects anew, an empty list where the method has none.

        Args:
            params: JSON; None when the host sent none.

        Raises:
            PayloadError: they have the wrong shape; `details` says where.
        """
        found = self.params(MISSING if params is None else params, ("params",))
        if self.most is not None and len(found) > self.most:
            raise PayloadError(INVALID, details=f"params[{self.most}]")
        return found
