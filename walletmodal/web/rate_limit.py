"""The limits of routes and sockets: the buckets that lookups of services are counted with."""

from walletmodal.services.rate_limit import MemoryRateLimit, Rate, RateLimit, RedisRateLimit

__all__ = ["MemoryRateLimit", "Rate", "RateLimit", "RedisRateLimit"]
