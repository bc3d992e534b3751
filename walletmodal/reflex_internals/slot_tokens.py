"""Keys of a session that lie together in a Redis Cluster, which locks and writes no others at once.

Those of one server are as Reflex has them: releases that do not know of clusters share it with this one.

Why: Reflex's keys of a session lie anywhere.
Test: `test_the_frameworks_keys_of_a_session_lie_anywhere`, `tests/test_redis_cluster.py`.
Dropped when: Reflex has a session's token as the hash tag of its keys.
"""

from typing import Any
from urllib.parse import quote

from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import BaseState

from walletmodal.services.redis_cluster import ClusterClient


class SlotToken(BaseStateToken):
    """A token whose keys have it as their hash tag."""

    @property
    def lock_key(self) -> str:
        """What the key of the lock begins with."""
        # A browser may say any token, one with a brace too.
        return f"{{{quote(self.ident, safe='')}}}"

    def _state_key(self, cls: type[BaseState]) -> str:
        return f"{self.lock_key}_{cls.get_full_name()}"


class SlotTokens(StateManagerRedis):
    """Reflex's manager of states in Redis, with these tokens where that is a cluster."""

    def _coerce_token(self, token: Any) -> Any:  # type: ignore[override]  # a static one there
        token = super()._coerce_token(token)
        if type(token) is BaseStateToken and isinstance(self.redis, ClusterClient):
            return SlotToken(ident=token.ident, cls=token.cls)
        return token
