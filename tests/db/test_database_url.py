"""libpq's parameters in DATABASE_URL, on a PostgreSQL that takes encrypted connections."""

from __future__ import annotations

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlalchemy.exc import InternalError

from tests.services_fixtures import PostgresServer
from tests.tls import Authority
from walletmodal.db.engine import async_url, open_engine
from walletmodal.db.migrations import upgrade
from walletmodal.services.http.authorities import usual_authorities


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def server(authority: Authority) -> Iterator[PostgresServer]:
    """One of its own: others' tests go on without encryption."""
    server = PostgresServer()
    server.start()
    server.speak_tls(authority.certificate, authority.key)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def base(server: PostgresServer) -> str:
    """URL of a database, with the name that its certificate is of."""
    return server.create_database().replace("127.0.0.1", "localhost")


async def shown(url: str, question: str) -> object:
    engine = open_engine(url)
    try:
        async with engine.connect() as connection:
            return (await connection.execute(text(question))).scalar()
    finally:
        await engine.dispose()


async def is_encrypted(url: str) -> object:
    return await shown(url, "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()")


@pytest.mark.parametrize(("mode", "encrypted"), [("disable", False), ("prefer", True), ("require", True)])
async def test_the_mode_says_whether_it_is_encrypted(base: str, mode: str, encrypted: bool) -> None:
    assert await is_encrypted(f"{base}?sslmode={mode}") is encrypted


@pytest.mark.parametrize("mode", ["verify-ca", "verify-full"])
async def test_a_certificate_is_checked_with_the_authority_that_is_named(
    base: str, authority: Authority, mode: str
) -> None:
    assert await is_encrypted(f"{base}?sslmode={mode}&sslrootcert={authority.file}") is True


async def test_a_certificate_of_another_authority_is_refused(base: str, tmp_path: Path) -> None:
    other = Authority(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError):
        await is_encrypted(f"{base}?sslmode=verify-ca&sslrootcert={other.file}")


async def test_the_system_s_authorities_are_those_of_every_other_call(
    base: str, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    usual_authorities.cache_clear()
    try:
        assert await is_encrypted(f"{base}?sslrootcert=system") is True
    finally:
        usual_authorities.cache_clear()


async def test_the_server_is_told_name_and_options(base: str) -> None:
    url = f"{base}?application_name=the%20modal&options=-c%20geqo%3Doff"
    assert await shown(url, "SHOW application_name") == "the modal"
    assert await shown(url, "SHOW geqo") == "off"


async def test_deadlines_hold_beside_parameters(base: str) -> None:
    assert await shown(f"{base}?application_name=modal", "SHOW statement_timeout") == "4s"


async def test_a_kind_of_server_may_be_asked_for(base: str) -> None:
    with pytest.raises(InternalError, match="standby"):
        await shown(f"{base}?target_session_attrs=standby&sslnegotiation=postgres&connect_timeout=2", "SELECT 1")


def test_migrations_run_over_an_encrypted_connection(base: str) -> None:
    upgrade(f"{base}?sslmode=require")


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+asyncpg"])
def test_a_pooler_s_parameter_stays_with_sqlalchemy(scheme: str) -> None:
    url = async_url(f"{scheme}://user@host/name?prepared_statement_cache_size=0&sslmode=require")
    assert dict(url.query) == {"prepared_statement_cache_size": "0"}


def test_an_unknown_parameter_is_an_error_that_names_it() -> None:
    with pytest.raises(ValueError, match="unknown parameter 'sslmod'"):
        open_engine("postgresql://user@host/name?sslmod=require")
