"""Limits of sockets and sessions, of each address and in all, and which sessions are dropped before their hour is over.

A session outlives its socket, for a page that returns. It is worth that once its page has said who its host is.
"""

import asyncio
import ipaddress
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from walletmodal.core.clock import Clock
from walletmodal.services.metrics import count_ignored
from walletmodal.services.rate_limit import MemoryRateLimit, Rate

OPENED: Final = Rate(per_second=5, burst=1_000)

End = Callable[[], None]
"""Ends a socket."""

_log: Final = logging.getLogger(__name__)


class Forget(Protocol):
    """Removes what is kept of a session that no socket speaks for."""

    async def __call__(self, token: str, /, *, unless_known: bool) -> bool:
        """Remove that of a token's. `unless_known`: not where its page has said who its host is, as it may have at another worker; whether it stays for that."""
        ...


@dataclass(frozen=True, slots=True)
class SocketLimits:
    """Socket limits of one worker.

    Attributes:
        per_address: sessions of one address, with or without a socket.
        per_site: sockets of one /48 of IPv6, which is one customer's and has 65,536 of what counts as an address.
        total: of all addresses.
        opened: how often one address may open a socket.
        load_seconds: how long a page may take to load before its socket is closed.
        drain_seconds: how long what a gone socket has said may take to be handled.
        kept_seconds: how long a session is kept after its socket, at most: with Redis a sixth longer than the framework's own hour.
        share: bytes of what its page has said that a session may always keep. As many shares as sessions may be kept by all sessions of
            one address together, and by all.
    """

    per_address: int = 1_000
    per_site: int = 2_000
    total: int = 10_000
    opened: Rate = OPENED
    load_seconds: float = 60.0
    drain_seconds: float = 10.0
    kept_seconds: float = 4_200.0
    share: int = 64 * 1024


# There is one of each session, for more than an hour after it was left, so it is small.
@dataclass(slots=True)
class _Session:
    """What is known of a session: which address counts it, its bytes, and until when it is kept where no socket speaks for it."""

    address: str
    size: int = 0
    until: float = 0.0


@dataclass(slots=True)
class _Address:
    """What an address has: open sockets, sessions that are kept without one, and the bytes of all of its sessions."""

    sockets: int = 0
    kept: int = 0
    size: int = 0


# Only read.
_NOTHING: Final = _Address()


class Sessions:
    """Those of this worker.

    Args:
        forget: as in `Forget`.
        limits: how many there may be.
        clock: what the time is measured with.

    Attributes:
        sockets: how many are open.
    """

    def __init__(self, *, forget: Forget, limits: SocketLimits, clock: Clock) -> None:
        self._forget, self._limits, self._clock = forget, limits, clock
        self._opened = MemoryRateLimit(limits.opened, clock)
        self.sockets = 0
        self._addresses: dict[str, _Address] = {}
        self._sites: Counter[str] = Counter()
        self._size = 0
        # By tokens, as `_kept`, `_live` and `_dropped`.
        self._known: dict[str, _Session] = {}
        # Without a socket, the first to be forgotten first.
        self._kept: dict[str, None] = {}
        # How their sockets are ended.
        self._live: dict[str, list[End]] = {}
        # Those that were too large, until they are forgotten.
        self._dropped: set[str] = set()
        self._forgetting: set[asyncio.Task[None]] = set()

    @property
    def kept(self) -> int:
        """Counts sessions that are kept without a socket."""
        return len(self._kept)

    async def admit(self, address: str) -> bool:
        """Make room for one more socket; False where there is none."""
        site = _site(address)
        full = self._of(address).sockets >= self._limits.per_address or self._sites[site] >= self._limits.per_site
        if full or self.sockets >= self._limits.total:
            count_ignored("socket_limit")
            return False
        if not await self._opened.allows(address):
            count_ignored("socket_rate")
            return False
        # Others may have been admitted while the rate was asked for.
        self._count(address, sockets=1)
        self.sockets += 1
        if site:
            self._sites[site] += 1
        self._make_room(address)
        return True

    def begin(self, address: str, token: str, end: End) -> bool:
        """A socket speaks for the session of this token; whether that was kept. `end`: called where the session has to go."""
        self._live.setdefault(token, []).append(end)
        if was_kept := self._take_out(token):
            # The text of one token is enough: what has come with the last socket is kept next.
            self._known[token] = self._known.pop(token)
        self._note_address(token, address)
        return was_kept

    def is_dropped(self, token: str) -> bool:
        """Whether the session has to go and is not forgotten yet: a socket that came for it now would have it stay."""
        return token in self._dropped

    def note_size(self, token: str, size: int) -> None:
        """The session keeps so many bytes of what its page has said. Where that is too much together, the largest go."""
        session = self._known.get(token)
        if session is None or token in self._dropped:
            return
        address = session.address
        self._set_size(session, size)
        while self._of(address).size > self._limits.per_address * self._limits.share:
            self._drop_largest([one for one, known in self._known.items() if known.address == address])
        while self._size > self._limits.total * self._limits.share:
            self._drop_largest(self._known)

    def end(self, address: str, token: str, end: End, *, keep: bool) -> None:
        """The socket is gone. `keep`: whether its session is worth being found again. `end`: as in `begin`."""
        self.sockets -= 1
        self._count(address, sockets=-1)
        if site := _site(address):
            self._sites[site] -= 1
            if not self._sites[site]:
                del self._sites[site]
        if not token or not self._release(token, end):
            return
        if keep and token not in self._dropped:
            self._keep(address, token)
        else:
            self._start_forgetting(address, token, self._limits.drain_seconds, unless_known=token not in self._dropped)

    def rename(self, address: str, token: str, new: str, end: End) -> None:
        """The framework has given the socket's session another token: the first is another socket's, maybe of another worker."""
        if token and self._release(token, end):
            if token in self._dropped:
                self._start_forgetting(address, token, self._limits.drain_seconds, unless_known=False)
            else:
                self._forget_known(token)
        self.begin(address, new, end)

    async def close(self) -> None:
        """Stop forgetting."""
        for task in self._forgetting:
            task.cancel()
        await asyncio.gather(*self._forgetting, return_exceptions=True)

    def _keep(self, address: str, token: str) -> None:
        self._take_out(token)
        self._note_address(token, address).until = self._clock.monotonic() + self._limits.kept_seconds
        self._kept[token] = None
        self._count(address, kept=1)
        self._make_room(address)

    def _release(self, token: str, end: End) -> bool:
        """Whether this was the session's last socket."""
        ends = self._live.get(token, [])
        if end in ends:
            ends.remove(end)
        if not ends:
            self._live.pop(token, None)
        return not ends

    def _make_room(self, address: str) -> None:
        now = self._clock.monotonic()
        while self._kept and self._known[token := next(iter(self._kept))].until <= now:
            # The framework has forgotten it by itself.
            self._forget_known(token)
        while (own := self._of(address)).kept and own.sockets + own.kept > self._limits.per_address:
            self._drop(next(one for one in self._kept if self._known[one].address == address))
        while self._kept and self.sockets + len(self._kept) > self._limits.total:
            self._drop(next(iter(self._kept)))

    def _drop(self, token: str, reason: str = "session_limit") -> None:
        count_ignored(reason)
        self._forget_known(token)
        if token not in self._live:
            # To make room, whoever its host is.
            self._start_forgetting("", token, 0, unless_known=False)

    def _drop_largest(self, tokens: Iterable[str]) -> None:
        token = max(tokens, key=lambda one: self._known[one].size)
        self._drop(token, "session_size")
        if token in self._live:
            self._dropped.add(token)
            for end in self._live[token]:
                end()

    def _note_address(self, token: str, address: str) -> _Session:
        """Have an address count it from now on; one that is kept is taken out first."""
        session = self._known.setdefault(token, _Session(address))
        size = session.size
        self._set_size(session, 0)
        session.address = address
        self._set_size(session, size)
        return session

    def _set_size(self, session: _Session, size: int) -> None:
        more = size - session.size
        self._count(session.address, size=more)
        self._size += more
        session.size = size

    def _forget_known(self, token: str) -> None:
        self._take_out(token)
        if (session := self._known.pop(token, None)) is not None:
            self._set_size(session, 0)

    def _take_out(self, token: str) -> bool:
        """No longer keep it without a socket; whether it was."""
        if token not in self._kept:
            return False
        del self._kept[token]
        self._count(self._known[token].address, kept=-1)
        return True

    def _of(self, address: str) -> _Address:
        return self._addresses.get(address, _NOTHING)

    def _count(self, address: str, *, sockets: int = 0, kept: int = 0, size: int = 0) -> None:
        found = self._addresses.setdefault(address, _Address())
        found.sockets, found.kept, found.size = found.sockets + sockets, found.kept + kept, found.size + size
        if not (found.sockets or found.kept or found.size):
            del self._addresses[address]

    def _start_forgetting(self, address: str, token: str, after: float, *, unless_known: bool) -> None:
        """`address`: that counts it where it stays."""
        forgetting = self._forget_later(address, token, after, unless_known=unless_known)
        task = asyncio.create_task(forgetting, name="forget-session")
        self._forgetting.add(task)
        task.add_done_callback(self._forgetting.discard)

    async def _forget_later(self, address: str, token: str, after: float, *, unless_known: bool) -> None:
        await self._clock.sleep(after)
        if token in self._live or token in self._kept:
            return
        stays = False
        try:
            stays = await self._forget(token, unless_known=unless_known)
        except Exception:  # noqa: BLE001 - its hour ends it all the same, and state managers share no error class
            _log.warning("a session could not be forgotten", exc_info=True)
        if not unless_known:
            self._dropped.discard(token)
        if token in self._live or token in self._kept:
            # It has come back meanwhile.
            return
        if stays and token not in self._dropped:
            self._keep(address, token)
        else:
            self._forget_known(token)


def _site(address: str) -> str:
    """The /48 of a line of IPv6, as `client_address` names it; "" of all else."""
    if not address.endswith("/64"):
        return ""
    return str(ipaddress.IPv6Network(address).supernet(new_prefix=48))
