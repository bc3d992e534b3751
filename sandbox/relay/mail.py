"""What the relay keeps: sealed mail by topic until its time is over, and who has it already."""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass, field
from typing import Final

from walletmodal.core.clock import Clock

MAX_MAIL_PER_TOPIC: Final = 200
MAX_MAIL_CHARACTERS: Final = 32 * 2**20
"""Of all mail together; the oldest goes first."""

MAX_HOLDERS: Final = 20
"""Clients per mail of which is remembered that they have it; two talk on a topic."""

MIN_TTL: Final = 300
MAX_TTL: Final = 30 * 86_400


@dataclass(eq=False)
class Mail:
    """One sealed message.

    Attributes:
        topic: 64 hexadecimal digits.
        message: what was published, as it came.
        tag: what kind of message it is, as the sender says.
        attestation: a JWT of the attestation service; None when there is none.
        published_at: milliseconds since 1970.
        expires: when it is thrown away, on the clock's monotonic scale.
        holders: names of the clients that sent it or said that they have it.
    """

    topic: str
    message: str
    tag: int
    attestation: str | None
    published_at: int
    expires: float
    holders: set[str] = field(default_factory=set)

    def held_by(self, client: str) -> None:
        """Note that a client has it, so that it is not sent there again."""
        if len(self.holders) < MAX_HOLDERS:
            self.holders.add(client)

    @property
    def data(self) -> dict[str, object]:
        """As the receiver gets it."""
        data: dict[str, object] = {
            "topic": self.topic,
            "message": self.message,
            "publishedAt": self.published_at,
            "tag": self.tag,
        }
        return data if self.attestation is None else {**data, "attestation": self.attestation}


class MailStore:
    """All mail that waits.

    Args:
        clock: by which mail expires.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._topics: dict[str, dict[bytes, Mail]] = {}
        # All of it in the order of its coming: what goes first when the store is full.
        self._order: OrderedDict[tuple[str, bytes], None] = OrderedDict()
        self._characters = 0

    def keep(
        self, *, topic: str, message: str, tag: int, ttl: int, attestation: str | None, sender: str
    ) -> Mail | None:
        """Take a message in.

        Args:
            topic: where it is published.
            message: sealed by the sender.
            tag: its kind.
            ttl: seconds that it waits; kept within MIN_TTL and MAX_TTL.
            attestation: what came with it.
            sender: the client's name.

        Returns:
            The mail; None when the same message waits on the topic already, as after a sender's second try.
        """
        self._expire(topic)
        digest = hashlib.sha256(message.encode(errors="replace")).digest()
        waiting = self._topics.setdefault(topic, {})
        if digest in waiting:
            return None
        mail = Mail(
            topic=topic,
            message=message,
            tag=tag,
            attestation=attestation,
            published_at=int(self._clock.now().timestamp() * 1000),
            expires=self._clock.monotonic() + max(MIN_TTL, min(ttl, MAX_TTL)),
            holders={sender},
        )
        waiting[digest] = mail
        self._order[topic, digest] = None
        self._characters += len(message)
        self._make_room(topic)
        return mail

    def waiting(self, topic: str, client: str) -> list[Mail]:
        """What waits on a topic for a client, the oldest first; nothing that it sent or has."""
        self._expire(topic)
        return [mail for mail in self._topics.get(topic, {}).values() if client not in mail.holders]

    def clear(self) -> None:
        """Throw all away."""
        self._topics.clear()
        self._order.clear()
        self._characters = 0

    def _expire(self, topic: str) -> None:
        now = self._clock.monotonic()
        for digest in [digest for digest, mail in self._topics.get(topic, {}).items() if mail.expires <= now]:
            self._throw_away(topic, digest)

    def _make_room(self, topic: str) -> None:
        waiting = self._topics[topic]
        while len(waiting) > MAX_MAIL_PER_TOPIC:
            self._throw_away(topic, next(iter(waiting)))
        while self._characters > MAX_MAIL_CHARACTERS:
            self._throw_away(*next(iter(self._order)))

    def _throw_away(self, topic: str, digest: bytes) -> None:
        mail = self._topics[topic].pop(digest)
        if not self._topics[topic]:
            del self._topics[topic]
        del self._order[topic, digest]
        self._characters -= len(mail.message)
