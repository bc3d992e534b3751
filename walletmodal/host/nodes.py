"""A network's node as a host's server asks it. Needs nothing but Python."""

import json
from collections.abc import Sequence
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError
from urllib.request import OpenerDirector, Request, build_opener

from walletmodal.core.errors import SettingProblem, SettingsError, WalletModalError
from walletmodal.core.parsing.urls import is_secure_url
from walletmodal.host.http import NoRedirects

ANSWER_SECONDS: Final = 10.0
MAX_ANSWER: Final = 1024 * 1024
_ID: Final = 1
"""Each question is a request of its own, so that all may have the same."""


class NodeUnreachableError(WalletModalError):
    """The network's node does not answer, or not with what was asked for."""

    name = "NodeUnreachableError"

    def __init__(self, why: str) -> None:
        super().__init__("The network cannot be asked now", details=why)


class NodeRefusalError(WalletModalError):
    """The network's node, or a contract, refuses what was asked.

    Args:
        message: in the node's words.
        data: what a contract reverted with.
    """

    name = "NodeRefusalError"

    def __init__(self, message: str, data: bytes = b"") -> None:
        self.data = data
        super().__init__("The network refuses it", details=message[:300])


class Node:
    """Asks one network's node over HTTP. One object serves all threads of a process.

    Args:
        url: of its JSON-RPC: https, or http on loopback.

    Raises:
        SettingsError: the URL cannot be used.
    """

    def __init__(self, url: str) -> None:
        if not is_secure_url(url):
            raise SettingsError(
                [SettingProblem("rpc_url", "must be https, or http on loopback", "https://node.example.com")]
            )
        self._url = url
        self._opener: OpenerDirector = build_opener(NoRedirects)

    def ask(self, method: str, params: Sequence[object] = ()) -> Any:
        """Returns the result, unchecked JSON.

        Raises:
            NodeRefusalError: it answered with an error.
            NodeUnreachableError: it does not answer.
        """
        body = json.dumps({"jsonrpc": "2.0", "id": _ID, "method": method, "params": list(params)}).encode()
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        request = Request(self._url, data=body, headers=headers, method="POST")  # noqa: S310 - https, or loopback
        try:
            with self._opener.open(request, timeout=ANSWER_SECONDS) as answer:
                raw = answer.read(MAX_ANSWER + 1)
        except HTTPError as error:
            error.close()
            raise NodeUnreachableError(f"status {error.code}") from error
        except (OSError, HTTPException, ValueError) as error:
            raise NodeUnreachableError(type(error).__name__) from error
        return _result(raw)

    def number(self, method: str, params: Sequence[object] = ()) -> int:
        """Returns a quantity. Raises as `ask`."""
        found = self.ask(method, params)
        try:
            return int(found, 16)
        except (TypeError, ValueError) as error:
            raise NodeUnreachableError(f"{method}: no number") from error

    def call(self, contract: str, data: bytes) -> bytes:
        """What a contract answers now. Raises as `ask`."""
        return self.data("eth_call", [{"to": contract, "data": "0x" + data.hex()}, "latest"])

    def data(self, method: str, params: Sequence[object] = ()) -> bytes:
        """Returns bytes. Raises as `ask`."""
        found = self.ask(method, params)
        try:
            return bytes.fromhex(found.removeprefix("0x"))
        except (AttributeError, TypeError, ValueError) as error:
            raise NodeUnreachableError(f"{method}: no bytes") from error


def _result(raw: bytes) -> Any:
    try:
        found = json.loads(raw) if len(raw) <= MAX_ANSWER else None
    except (ValueError, RecursionError) as error:
        raise NodeUnreachableError(type(error).__name__) from error
    if not isinstance(found, dict) or found.get("id") != _ID:
        raise NodeUnreachableError("an answer of another form")
    refusal = found.get("error")
    if refusal is None:
        return found.get("result")
    if not isinstance(refusal, dict):
        raise NodeUnreachableError("an error of another form")
    raise NodeRefusalError(str(refusal.get("message", "")), _reverted(refusal.get("data")))


def _reverted(data: object) -> bytes:
    """What a contract reverted with: nodes put it into `data`, some of them one level deeper."""
    inner = data.get("data") if isinstance(data, dict) else data
    try:
        return bytes.fromhex(inner.removeprefix("0x")) if isinstance(inner, str) else b""
    except ValueError:
        return b""
