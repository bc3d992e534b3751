"""A request of a host page in words for the visitor who is to approve it (docs/protocol.md, ApproveTransaction)."""

from typing import Final

from walletmodal.core.requests.methods import find_method
from walletmodal.core.requests.summary_other import other_summary
from walletmodal.core.requests.summary_parts import FIRST, WHOLE, Summary, Tokens
from walletmodal.core.requests.typed_request import HostedRequest

_NO_TOKENS: Final[Tokens] = {}


def summarize(request: HostedRequest, *, tokens: Tokens = _NO_TOKENS, whole: bool = False) -> Summary:
    """What a request asks for.

    Args:
        request: as it was read (`core/requests/reading.py`); every text in it is a stranger's.
        tokens: what is known of tokens; those that would help stand in the summary's `tokens`.
        whole: all of it, as far as anybody could read that, instead of the beginning.

    Raises:
        WalletModalError: it cannot be read, so nobody could know what they approve.
    """
    spec = find_method(request.namespace, request.method, request.params)
    form = spec.summary if spec else other_summary
    return form(request, WHOLE if whole else FIRST, tokens)
