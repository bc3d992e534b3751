"""The relay's work, without its sockets: who has subscribed to what, and what is passed on to whom."""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from walletmodal.core.clock import Clock
from walletmodal.sandbox.relay.calls import (
    MAX_MESSAGE,
    ApproveSession,
    BatchPublish,
    BatchUnsubscribe,
    ManyTopics,
    OneTopic,
    ProposeSession,
    Publish,
)
from walletmodal.sandbox.relay.client import MAX_SUBSCRIPTIONS, RelayClient
from walletmodal.sandbox.relay.mail import MIN_TTL, MailStore

PROPOSE, APPROVE, SETTLE = 1100, 1101, 1102
"""Tags of the messages that the two `wc_` calls publish."""

MAX_FETCHED: Final = 2 * MAX_MESSAGE
"""Characters of all messages in one answer."""

METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602


class CallRefusedError(Exception):
    """A call cannot be carried out.

    Args:
        code: of JSON-RPC.
        message: what is wrong.
    """

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Exchange:
    """Subscriptions and mail of all clients.

    Args:
        clock: by which mail expires.
    """

    def __init__(self, clock: Clock) -> None:
        self._mail = MailStore(clock)
        self._subscribers: dict[str, list[RelayClient]] = {}
        self._methods: Mapping[str, tuple[type[BaseModel], Callable[..., object]]] = {
            "irn_publish": (Publish, self._publish),
            "irn_batchPublish": (BatchPublish, self._publish_many),
            "irn_subscribe": (OneTopic, self._subscribe_one),
            "irn_batchSubscribe": (ManyTopics, self._subscribe_many),
            "irn_unsubscribe": (OneTopic, self._unsubscribe),
            "irn_batchUnsubscribe": (BatchUnsubscribe, self._unsubscribe_many),
            "irn_fetchMessages": (OneTopic, self._fetch_one),
            "irn_batchFetchMessages": (ManyTopics, self._fetch_many),
            "wc_proposeSession": (ProposeSession, self._propose),
            "wc_approveSession": (ApproveSession, self._approve),
        }

    def call(self, client: RelayClient, method: str, params: object) -> tuple[object, list[str]]:
        """Carry a call out.

        Returns:
            The result, and the topics whose waiting mail the client is to get after the result.

        Raises:
            CallRefusedError: there is no such method, or its parameters are wrong.
        """
        known = self._methods.get(method)
        if known is None:
            raise CallRefusedError(METHOD_NOT_FOUND, "Method not found")
        model, carry_out = known
        try:
            given: Any = model.model_validate(params)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(str(part) for part in first["loc"]) or "params"
            raise CallRefusedError(INVALID_PARAMS, f"Invalid params: {where}: {first['msg']}") from error
        before = set(client.topics)
        result = carry_out(client, given)
        return result, sorted(client.topics - before)

    def hand_over(self, client: RelayClient, topics: Iterable[str]) -> None:
        """Send a client what waits on topics that it has just subscribed to."""
        for topic in topics:
            for mail in self._mail.waiting(topic, client.name):
                client.deliver(mail)

    @staticmethod
    def subscription(client: RelayClient, topic: str) -> str:
        """The id of a client's subscription to a topic, which SDKs work out for themselves."""
        return hashlib.sha256(f"{topic}{client.name}".encode()).hexdigest()

    def leave(self, client: RelayClient) -> None:
        """A client has gone: its subscriptions end."""
        for topic in list(client.topics):
            self._remove(client, topic)

    def clear(self) -> None:
        """Forget mail and subscriptions."""
        self._mail.clear()
        for subscribed in self._subscribers.values():
            for client in subscribed:
                client.topics.clear()
        self._subscribers.clear()

    def _publish(self, client: RelayClient, given: Publish) -> bool:
        mail = self._mail.keep(
            topic=given.topic,
            message=given.message,
            tag=given.tag or 0,
            ttl=given.ttl or MIN_TTL,
            attestation=given.attestation,
            sender=client.name,
        )
        if mail is not None:
            for other in self._subscribers.get(given.topic, []):
                if other.name != client.name:
                    other.deliver(mail)
        return True

    def _publish_many(self, client: RelayClient, given: BatchPublish) -> bool:
        for one in given.messages:
            self._publish(client, one)
        return True

    def _subscribe_one(self, client: RelayClient, given: OneTopic) -> str:
        return self._subscribe(client, [given.topic])[0]

    def _subscribe_many(self, client: RelayClient, given: ManyTopics) -> list[str]:
        return self._subscribe(client, given.topics)

    def _unsubscribe(self, client: RelayClient, given: OneTopic) -> bool:
        self._remove(client, given.topic)
        return True

    def _unsubscribe_many(self, client: RelayClient, given: BatchUnsubscribe) -> list[bool]:
        return [self._unsubscribe(client, one) for one in given.subscriptions]

    def _fetch_one(self, client: RelayClient, given: OneTopic) -> dict[str, object]:
        return self._fetch(client, [given.topic])

    def _fetch_many(self, client: RelayClient, given: ManyTopics) -> dict[str, object]:
        return self._fetch(client, given.topics)

    def _propose(self, client: RelayClient, given: ProposeSession) -> bool:
        topic = given.pairing_topic
        self._subscribe(client, [topic])
        proposal = Publish(
            topic=topic, message=given.proposal, tag=PROPOSE, ttl=given.ttl, attestation=given.attestation
        )
        return self._publish(client, proposal)

    def _approve(self, client: RelayClient, given: ApproveSession) -> bool:
        answered, settled = given.pairing_topic, given.session_topic
        self._subscribe(client, [answered, settled])
        self._publish(client, Publish(topic=answered, message=given.response, tag=APPROVE, ttl=given.ttl))
        return self._publish(client, Publish(topic=settled, message=given.settlement, tag=SETTLE, ttl=given.ttl))

    def _subscribe(self, client: RelayClient, topics: list[str]) -> list[str]:
        if len(client.topics.union(topics)) > MAX_SUBSCRIPTIONS:
            raise CallRefusedError(INVALID_PARAMS, f"At most {MAX_SUBSCRIPTIONS} topics per connection")
        for topic in topics:
            if topic not in client.topics:
                client.topics.add(topic)
                self._subscribers.setdefault(topic, []).append(client)
        return [self.subscription(client, topic) for topic in topics]

    def _remove(self, client: RelayClient, topic: str) -> None:
        subscribed = self._subscribers.get(topic, [])
        if client in subscribed:
            subscribed.remove(client)
            client.topics.discard(topic)
        if not subscribed:
            self._subscribers.pop(topic, None)

    def _fetch(self, client: RelayClient, topics: list[str]) -> dict[str, object]:
        waiting = [mail for topic in topics for mail in self._mail.waiting(topic, client.name)]
        room, fetched = MAX_FETCHED, []
        for mail in waiting:
            room -= len(mail.message)
            if room < 0:
                break
            fetched.append(mail.data)
        return {"messages": fetched, "hasMore": len(fetched) < len(waiting)}
