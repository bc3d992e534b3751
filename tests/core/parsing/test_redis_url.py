"""What a URL of Redis says, and what is wrong with it."""

from typing import Any

import pytest

from walletmodal.core.parsing.redis_url import redis_address


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("redis://localhost", {"kind": "single", "tls": False, "hosts": (("localhost", 6379),), "db": 0}),
        ("redis:///3", {"hosts": (("localhost", 6379),), "db": 3}),
        ("redis://[::1]:7000/?db=2", {"hosts": (("::1", 7000),), "db": 2}),
        ("rediss://web:a%2Fb%40c@redis.example/1", {"tls": True, "username": "web", "password": "a/b@c", "db": 1}),
        ("redis://:secret@localhost", {"username": None, "password": "secret"}),
        (
            "unix://:secret@/run/redis.sock?db=4",
            {"kind": "unix", "path": "/run/redis.sock", "password": "secret", "db": 4},
        ),
        (
            "redis+sentinel://web:one@a,b:7000,[::1]:7001/main/5?sentinel_username=watch&sentinel_password=two",
            {
                "kind": "sentinel",
                "hosts": (("a", 26379), ("b", 7000), ("::1", 7001)),
                "service": "main",
                "db": 5,
                "username": "web",
                "password": "one",
                "sentinel_username": "watch",
                "sentinel_password": "two",
            },
        ),
        (
            "rediss+cluster://web:one@a,b:7000,[::1]:7001/0?ssl_ca_certs=/etc/redis/ca.pem",
            {
                "kind": "cluster",
                "tls": True,
                "hosts": (("a", 6379), ("b", 7000), ("::1", 7001)),
                "db": 0,
                "username": "web",
                "connection": {"ssl_ca_certs": "/etc/redis/ca.pem"},
            },
        ),
        (
            "rediss://localhost?ssl_ca_certs=/etc/redis/ca.pem&ssl_check_hostname=false&max_connections=50",
            {
                "connection": {
                    "ssl_ca_certs": "/etc/redis/ca.pem",
                    "ssl_check_hostname": False,
                    "max_connections": 50,
                }
            },
        ),
        (
            "rediss://localhost?ssl_cert_reqs=none",
            {"connection": {"ssl_cert_reqs": "none", "ssl_check_hostname": False}},
        ),
    ],
)
def test_a_url_says_where_redis_is(url: str, parts: dict[str, Any]) -> None:
    found = redis_address(url)
    assert {name: getattr(found, name) for name in parts} == parts


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("http://localhost", "begins with one of redis://, "),
        ("redis://loc alhost", "begins with one of redis://, "),
        ("redis://a:1,b:1", "names several servers"),
        ("redis://localhost:port", "not a host"),
        ("redis://localhost:70000", "not a host"),
        ("redis://localhost/first", "no number"),
        ("redis://localhost?max_connections=many", "no number"),
        ("redis://:hunter2#more@localhost", "%23"),
        ("redis://:hunter2/more@localhost", "%2F"),
        ("redis://:hunter2?more@localhost", "%3F"),
        ("redis://localhost?ssl_ca_certs=/ca.pem", "does not count"),
        ("redis://localhost?hunter2=1", "does not count"),
        ("rediss://localhost?sentinel_password=hunter2", "does not count"),
        ("rediss://localhost?ssl_check_hostname=hunter2", "neither true nor false"),
        ("rediss://localhost?ssl_cert_reqs=hunter2", "neither required"),
        ("unix://localhost", "path of a socket"),
        ("redis+sentinel://a:1,b:1", "what the Sentinels call"),
        ("redis+sentinel:///main", "must name servers"),
        ("redis+sentinel://a,,b/main", "must name servers"),
        ("redis+cluster://", "must name servers"),
        ("redis+cluster://a,b/1", "a database other than 0"),
        ("redis+cluster://a,b?db=1", "a database other than 0"),
    ],
)
def test_what_is_wrong_is_said_without_a_password(url: str, words: str) -> None:
    with pytest.raises(ValueError, match=words) as refused:
        redis_address(url)
    assert "hunter2" not in str(refused.value)
