"""The websocket of Solana: clients subscribe and are told when something lands."""

import asyncio
import itertools
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field

from solders.pubkey import Pubkey
from websockets.asyncio.server import ServerConnection
from websockets.exceptions import ConnectionClosed

from walletmodal.sandbox.answers import parse_json
from walletmodal.sandbox.solana.account_json import account_json
from walletmodal.sandbox.solana.failures import INVALID_REQUEST, SolanaRpcError
from walletmodal.sandbox.solana.ledger import Ledger
from walletmodal.sandbox.solana.parameters import ENCODINGS, Config, Parameters, invalid, signature_of
from walletmodal.sandbox.solana.record import Landed
from walletmodal.sandbox.solana.rpc import SolanaRpc

MAX_SUBSCRIPTIONS = 200
"""Per connection."""

MAX_UNSENT = 1000
"""Messages that wait for a client who does not read; it gets no further ones until it does."""

PARSE_ERROR = -32700


@dataclass(frozen=True)
class _Subscription:
    """What is sent under `method` when `wanted` finds something in a transaction; once when it waits for one `signature`."""

    method: str
    wanted: Callable[[Landed], object | None]
    signature: str | None = None


@dataclass
class _Client:
    connection: ServerConnection
    subscriptions: dict[int, _Subscription] = field(default_factory=dict)
    outgoing: asyncio.Queue[str] = field(default_factory=lambda: asyncio.Queue(MAX_UNSENT))


class SolanaSubscriptions:
    """The connected clients.

    Args:
        ledger: what they are told of.
        rpc: answers whatever else they ask.
    """

    def __init__(self, ledger: Ledger, rpc: SolanaRpc) -> None:
        self._ledger = ledger
        self._rpc = rpc
        self._numbers = itertools.count(1)
        self._clients: list[_Client] = []
        self._open = {
            "accountSubscribe": self._account,
            "logsSubscribe": self._logs,
            "signatureSubscribe": self._signature,
            "slotSubscribe": self._slot,
        }
        ledger.listen(self._landed)

    async def serve(self, connection: ServerConnection) -> None:
        """Serve one client until it goes."""
        client = _Client(connection)
        self._clients.append(client)
        sender = asyncio.create_task(self._send(client))
        try:
            async for message in connection:
                await client.outgoing.put(self._answer(client, message))
                self._tell_what_landed_before(client)
        except ConnectionClosed:
            pass
        finally:
            self._clients.remove(client)
            sender.cancel()
            with suppress(asyncio.CancelledError):
                await sender

    @staticmethod
    async def _send(client: _Client) -> None:
        with suppress(ConnectionClosed):
            while True:
                await client.connection.send(await client.outgoing.get())

    def _answer(self, client: _Client, message: str | bytes) -> str:
        try:
            asked = parse_json(message.encode() if isinstance(message, str) else message)
        except ValueError:
            error = SolanaRpcError(PARSE_ERROR, "Parse error")
            return json.dumps({"jsonrpc": "2.0", "id": None, "error": error.body})
        method = asked.get("method") if isinstance(asked, dict) else None
        if not isinstance(asked, dict) or not isinstance(method, str) or not method.endswith("ubscribe"):
            return json.dumps(self._rpc.answer(asked))
        try:
            result = self._subscribe(client, method, asked.get("params"))
        except SolanaRpcError as error:
            return json.dumps({"jsonrpc": "2.0", "id": asked.get("id"), "error": error.body})
        return json.dumps({"jsonrpc": "2.0", "id": asked.get("id"), "result": result})

    def _subscribe(self, client: _Client, method: str, params: object) -> object:
        given = Parameters(params if isinstance(params, list) else [])
        if method.endswith("Unsubscribe"):
            number = given.whole(0, "the subscription")
            if client.subscriptions.pop(number, None) is None:
                raise invalid("Invalid subscription id.")
            return True
        open_one = self._open.get(method)
        if open_one is None:
            raise SolanaRpcError(-32601, "Method not found")
        if len(client.subscriptions) >= MAX_SUBSCRIPTIONS:
            raise SolanaRpcError(INVALID_REQUEST, f"At most {MAX_SUBSCRIPTIONS} subscriptions")
        number = next(self._numbers)
        client.subscriptions[number] = open_one(given)
        return number

    def _signature(self, given: Parameters) -> _Subscription:
        signature = signature_of(given.text(0, "the signature"))
        given.config(1)

        def wanted(record: Landed) -> object | None:
            return self._rpc.in_context({"err": record.error}) if record.signature == signature else None

        return _Subscription("signatureNotification", wanted, signature)

    def _account(self, given: Parameters) -> _Subscription:
        key, config = given.key(0), given.config(1)
        encoding = config.choice("encoding", ENCODINGS[:2] + ENCODINGS[3:], "base58")

        def wanted(record: Landed) -> object | None:
            return self._account_now(key, encoding, config) if str(key) in record.keys else None

        return _Subscription("accountNotification", wanted)

    def _account_now(self, key: Pubkey, encoding: str, config: Config) -> object:
        written = account_json(self._ledger.account(key), encoding, config, self._ledger.account)
        empty = {
            "data": ["", "base64"],
            "executable": False,
            "lamports": 0,
            "owner": str(Pubkey.default()),
            "rentEpoch": 0,
        }
        return self._rpc.in_context(written or {**empty, "space": 0})

    def _logs(self, given: Parameters) -> _Subscription:
        wanted_key: str | None = None
        if not given.is_text(0):
            mentions = given.config(0).items("mentions")
            if len(mentions) != 1 or not isinstance(mentions[0], str):
                raise invalid("Invalid Request: Only 1 address supported")
            wanted_key = mentions[0]
        elif given.text(0, "the filter") not in ("all", "allWithVotes"):
            raise invalid("Invalid params: the filter is all, allWithVotes or mentions")

        def wanted(record: Landed) -> object | None:
            if wanted_key is not None and wanted_key not in record.keys:
                return None
            return self._rpc.in_context({"signature": record.signature, "err": record.error, "logs": record.logs})

        return _Subscription("logsNotification", wanted)

    @staticmethod
    def _slot(_: Parameters) -> _Subscription:
        def wanted(record: Landed) -> object:
            return {"parent": record.slot - 1, "root": max(0, record.slot - 32), "slot": record.slot}

        return _Subscription("slotNotification", wanted)

    def _landed(self, record: Landed) -> None:
        for client in self._clients:
            for number, subscription in list(client.subscriptions.items()):
                self._tell(client, number, subscription, record)

    def _tell_what_landed_before(self, client: _Client) -> None:
        """A client that subscribes to a signature after it landed is told at once, as by a validator."""
        for number, subscription in list(client.subscriptions.items()):
            record = self._ledger.record(subscription.signature) if subscription.signature is not None else None
            if record is not None:
                self._tell(client, number, subscription, record)

    @staticmethod
    def _tell(client: _Client, number: int, subscription: _Subscription, record: Landed) -> None:
        result = subscription.wanted(record)
        if result is None:
            return
        params = {"result": result, "subscription": number}
        with suppress(asyncio.QueueFull):
            client.outgoing.put_nowait(json.dumps({"jsonrpc": "2.0", "method": subscription.method, "params": params}))
        if subscription.signature is not None:
            client.subscriptions.pop(number, None)
