"""Reflex's connections to Redis are ours: behind Sentinels, and commands that wait for a primary.

Why: Reflex takes only URLs of one server, and its commands fail while Redis fails over.
Test: `test_states_and_sockets_ask_one_function_for_redis`, `tests/test_redis_failover.py`.
Dropped when: a client can be given to Reflex's config.
"""

from redis.asyncio import Redis
from reflex.utils import prerequisites
from reflex_base.config import get_config

from walletmodal.services.redis_clients import open_redis
from walletmodal.services.redis_patience import PATIENT


def _open() -> Redis | None:
    url = get_config().redis_url
    return open_redis(url, patience=PATIENT) if url else None


def use_our_redis() -> None:
    """What Reflex opens from now on is ours."""
    prerequisites.get_redis = _open
    prerequisites.parse_redis_url = lambda: get_config().redis_url or None
