"""Parsing of a host's request, once: what is decided, shown and put on record is the same value."""

from dataclasses import replace
from typing import Any

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.decoding.delegate_calls import runs_foreign_code
from walletmodal.core.errors.rules import PayloadError
from walletmodal.core.requests.methods import MethodNotAllowedError, find_method
from walletmodal.core.requests.typed_request import HostedRequest, TypedData


def read_request(
    *, method: str, chain: ChainId, account: str, origin: str, params: Any, signed_in: bool = False, at: int = 0
) -> HostedRequest:
    """Parses a request.

    Args:
        method: a method of the chain's namespace that its wallets answer.
        chain: the network that the account is on.
        account: the connected account that is to sign, in its normal spelling.
        origin: of the host page.
        params: the host's, as `MethodSpec.check` has let them pass.
        signed_in: whether this account is signed in here.
        at: Unix seconds, now.

    Raises:
        MethodNotAllowedError: the namespace has no such method.
        PayloadError: something in them cannot be read.
    """
    spec = find_method(chain.namespace, method, params)
    if spec is None:
        raise MethodNotAllowedError(method)
    try:
        found = spec.read(params)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise PayloadError("The request cannot be read", details=f"params of {method[:64]}") from error
    typed: TypedData | None = found.get("typed_data")
    foreign = any(map(runs_foreign_code, found.get("calls", ()))) or (typed is not None and typed.runs_foreign_code)
    request = HostedRequest(
        method=method,
        chain=chain,
        account=account,
        origin=origin,
        signed_in=signed_in,
        params=params,
        runs_foreign_code=foreign,
        at=at,
        **found,
    )
    return replace(request, dangers=spec.dangers(request))
