"""What may stand behind the `?` of a PostgreSQL URL."""

from __future__ import annotations

import pytest

from walletmodal.core.parsing.database_url import SSL_MODES, pools_transactions, postgres_parameters

URL = "postgresql://user:password@db.example.com:5432/walletmodal"


@pytest.mark.parametrize("mode", SSL_MODES)
def test_every_mode_of_libpq_is_known(mode: str) -> None:
    assert postgres_parameters(f"{URL}?sslmode={mode}") == {"sslmode": mode}


def test_what_providers_write_is_known() -> None:
    query = (
        "sslmode=verify-full&sslrootcert=/etc/ca.pem&connect_timeout=10&application_name=modal&options=-c%20geqo%3Doff"
    )
    assert postgres_parameters(f"{URL}?{query}") == {
        "sslmode": "verify-full",
        "sslrootcert": "/etc/ca.pem",
        "connect_timeout": "10",
        "application_name": "modal",
        "options": "-c geqo=off",
    }


def test_a_url_without_parameters_has_none() -> None:
    assert postgres_parameters(URL) == {}


def test_the_spelling_of_sqlalchemy_is_the_same() -> None:
    assert postgres_parameters(f"{URL}?ssl=require") == {"sslmode": "require"}


def test_what_sqlalchemy_reads_is_left_to_it() -> None:
    assert postgres_parameters(f"{URL}?host=/run/postgresql&prepared_statement_cache_size=0") == {}


@pytest.mark.parametrize(
    ("query", "pooled"), [("", False), ("?pool_mode=session", False), ("?pool_mode=transaction", True)]
)
def test_what_a_pooler_does_is_ours_to_know(query: str, pooled: bool) -> None:
    assert (postgres_parameters(URL + query), pools_transactions(URL + query)) == ({}, pooled)


def test_what_asks_for_nothing_is_left_out() -> None:
    assert postgres_parameters(f"{URL}?channel_binding=prefer&gssencmode=disable") == {}


def test_the_system_s_authorities_check_the_name_too() -> None:
    assert postgres_parameters(f"{URL}?sslrootcert=system") == {"sslrootcert": "system", "sslmode": "verify-full"}


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("sslmod=require", "unknown parameter 'sslmod'"),
        ("sslmode=on", "sslmode='on'; it must be one of disable, allow"),
        ("sslmode=require&sslmode=disable", "sslmode twice"),
        ("sslmode=require&ssl=disable", "ssl twice"),
        ("sslmode=", "sslmode without a value"),
        ("pool_mode=statement", "pool_mode='statement'; it must be one of session, transaction"),
        ("connect_timeout=soon", "must be whole seconds"),
        ("connect_timeout=-1", "must be whole seconds"),
        ("channel_binding=require", "asyncpg"),
        ("sslrootcert=system&sslmode=require", "needs sslmode=verify-full"),
    ],
)
def test_what_is_wrong_is_named(query: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        postgres_parameters(f"{URL}?{query}")
