"""What lies in the database opens with the key of the deployment alone, each value in its own place."""

import os
import re
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from tests.secure.mailbox import Mailbox
from tests.secure.world import ADA, EVE, Wallet, World, running, settings_for
from walletmodal.db.engine import open_engine
from walletmodal.secure.custody.envelope import EnvelopeError, KeyRing
from walletmodal.secure.custody.kek import parse_keys
from walletmodal.secure.encoding import encode
from walletmodal.secure.errors import StartError
from walletmodal.secure.rotation import rotate
from walletmodal.secure.settings import Settings


def file_of(settings: Settings) -> Path:
    return Path(settings.secure_database_url.removeprefix("sqlite:///"))


def content(settings: Settings) -> bytes:
    """Everything that lies on the disk."""
    return b"".join(part.read_bytes() for part in sorted(file_of(settings).parent.glob("secure.db*")))


def with_keys(settings: Settings, keys: str) -> Settings:
    return settings.model_copy(update={"embedded_kek": SecretStr(keys)})


def test_a_value_opens_in_its_own_row_alone() -> None:
    keys = KeyRing([(1, os.urandom(32))])
    blob = keys.seal(b"half", "halves/ada/1")
    assert len(blob) == 1 + 12 + 48 + 12 + 4 + 16
    assert blob[0] == 1
    assert keys.open(blob, "halves/ada/1") == b"half"
    for other in ("halves/eve/1", "halves/ada/2", "wallets/ada/1"):
        with pytest.raises(EnvelopeError):
            keys.open(blob, other)


@pytest.mark.parametrize("at", [0, 1, 20, 70, -1])
def test_a_value_that_was_changed_does_not_open(at: int) -> None:
    keys = KeyRing([(1, os.urandom(32))])
    blob = bytearray(keys.seal(b"half", "row"))
    blob[at] ^= 1
    with pytest.raises(EnvelopeError):
        keys.open(bytes(blob), "row")


@pytest.mark.parametrize("blob", [b"", b"\x01", b"\x01" * 60])
def test_a_value_that_is_too_short_does_not_open(blob: bytes) -> None:
    with pytest.raises(EnvelopeError):
        KeyRing([(1, os.urandom(32))]).open(blob, "row")


def test_equal_values_look_different() -> None:
    keys = KeyRing([(1, os.urandom(32))])
    assert keys.seal(b"half", "row")[1:] != keys.seal(b"half", "row")[1:]


@pytest.mark.parametrize(
    "text", ["", "abc", "1:abc", f"0:{encode(bytes(32))}", f"256:{encode(bytes(32))}", f"1:{encode(bytes(31))}"]
)
def test_what_is_no_key_is_refused_by_the_name_of_its_setting(text: str) -> None:
    with pytest.raises(StartError, match=r"^EMBEDDED_KEK") as told:
        parse_keys(text, "EMBEDDED_KEK")
    assert "AAAA" not in str(told.value)


async def test_a_copied_database_has_nothing_in_clear(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    wallet = await world.wallet()
    # Six digits are in there by chance once in some thousand runs.
    monkeypatch.setattr("walletmodal.secure.login.attempts.new_code", lambda *_: "314159265358979323846264")
    await world.begin(EVE)
    otp = world.mailbox.last(EVE).code
    found = content(world.settings)
    body = wallet.body()
    for secret in (
        *(ADA.encode(), EVE.encode(), b"example.com", otp.encode(), wallet.device.session.encode(), wallet.root),
        *(body["deviceHalf"].encode(), body["recoveryHalf"].encode()),
        *(
            wallet.device_half,
            wallet.recovery_half,
            (world.settings.embedded_kek or SecretStr("")).get_secret_value().encode(),
        ),
    ):
        assert secret not in found
    half = bytes(a ^ b for a, b in zip(wallet.root, wallet.device_half, strict=True))
    assert half not in found
    assert wallet.evm.encode() in found, "the file is the one that was written"


async def test_the_file_is_its_owners(world: World) -> None:
    assert stat.S_IMODE(file_of(world.settings).stat().st_mode) == 0o600


async def test_another_key_does_not_start_and_changes_nothing(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url)
    async with running(settings, mailbox) as world:
        wallet = await world.wallet()
        session = wallet.device.session
    before = content(settings)
    for keys in (f"1:{encode(os.urandom(32))}", f"2:{encode(os.urandom(32))}"):
        with pytest.raises(StartError, match="EMBEDDED_KEK does not open this database"):
            async with running(with_keys(settings, keys), mailbox):
                pass
    assert content(settings) == before
    async with running(settings, mailbox, clock=world.clock) as again:
        wallet.device.client, wallet.device.session = again.client, session
        assert await wallet.joined() == wallet.root


async def test_a_database_whose_pepper_is_gone_does_not_get_another(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url)
    async with running(settings, mailbox) as world:
        await world.wallet()
    with closing(sqlite3.connect(file_of(settings))) as database:
        database.execute("DELETE FROM secrets")
        database.commit()
    with pytest.raises(StartError, match="no pepper"):
        async with running(settings, mailbox):
            pass
    with closing(sqlite3.connect(file_of(settings))) as database:
        assert database.execute("SELECT count(*) FROM secrets").fetchone() == (0,)


async def test_a_half_that_was_copied_to_another_user_does_not_open(world: World) -> None:
    wallet = await world.wallet()
    eve = await world.login(EVE)
    user = (await eve.call("/v1/me"))["user"]["id"]
    [(device,)] = await world.sql("SELECT device FROM sessions WHERE user = ?", (user,))
    await world.sql(
        "INSERT INTO halves SELECT ?, ?, half, name, site, created_at, last_seen_at, held_until, own_window FROM halves WHERE user = ?",
        (user, device, wallet.user_id),
    )
    refused = await eve.refused("/v1/wallet/half", {"use": "sign"})
    assert (refused.status, refused.code) == (503, "unavailable")


async def test_rotation_wraps_everything_anew_and_the_old_key_may_go(secure_url: str, mailbox: Mailbox) -> None:
    settings = settings_for(secure_url, mailbox.url)
    async with running(settings, mailbox) as world:
        wallet = await world.wallet()
        await world.begin(EVE)
    old = settings.embedded_kek.get_secret_value() if settings.embedded_kek else ""
    fresh = f"7:{encode(os.urandom(32))}"
    both = with_keys(settings, f"{old},{fresh}")
    engine = open_engine(secure_url)
    try:
        # Pepper, address of the user, recovery half, device's half, address of the attempt.
        assert await rotate(engine, both.key_ring()) == 5
        assert await rotate(engine, both.key_ring()) == 0
    finally:
        await engine.dispose()
    async with running(with_keys(settings, fresh), mailbox, clock=world.clock) as again:
        wallet.device.client = again.client
        assert await wallet.joined() == wallet.root
        assert (await wallet.device.call("/v1/me"))["user"]["email"] == ADA
    with closing(sqlite3.connect(file_of(settings))) as database:
        names = [row[0] for row in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        blobs = [
            value
            for name in names
            for row in database.execute(f'SELECT * FROM "{name}"')
            for value in row
            if isinstance(value, bytes) and len(value) > 73
        ]
    assert blobs
    assert {blob[0] for blob in blobs} == {7}


async def test_a_key_that_leaves_too_early_is_a_sentence_and_changes_nothing(secure_url: str, mailbox: Mailbox) -> None:
    """The key that came after it opens the pepper, and so the site starts; one device's half is still under the former."""
    settings = settings_for(secure_url, mailbox.url)
    async with running(settings, mailbox) as world:
        wallet = await world.wallet()
    old = settings.embedded_kek.get_secret_value() if settings.embedded_kek else ""
    fresh = f"7:{encode(os.urandom(32))}"
    both = with_keys(settings, f"{old},{fresh}")
    ((half,),) = await world.sql("SELECT half FROM halves")
    engine = open_engine(secure_url)
    try:
        await rotate(engine, both.key_ring())
    finally:
        await engine.dispose()
    await world.sql("UPDATE halves SET half = ?", (half,))
    async with running(with_keys(settings, fresh), mailbox, clock=world.clock) as early:
        wallet.device.client = early.client
        refused = await wallet.device.refused("/v1/wallet/half", {"use": "sign"})
        assert (refused.status, refused.code) == (503, "unavailable")
        # The wallet is there, so that nobody makes another in its place.
        assert (await wallet.device.refused("/v1/wallet", Wallet(wallet.device, "").body())).code == "wallet_exists"
    assert await world.sql("SELECT half FROM halves") == [(half,)]
    async with running(both, mailbox, clock=world.clock) as again:
        wallet.device.client = again.client
        assert await wallet.joined() == wallet.root


async def test_the_key_may_come_from_a_file_or_a_program(tmp_path: Path, mailbox: Mailbox) -> None:
    key = f"1:{encode(os.urandom(32))}"
    file = tmp_path / "kek"
    file.write_text(key + "\n")
    by_file = settings_for("sqlite:///x.db", mailbox.url, embedded_kek=None, embedded_kek_file=str(file))
    by_program = settings_for("sqlite:///x.db", mailbox.url, embedded_kek=None, embedded_kek_command=f"cat '{file}'")
    sealed = parse_keys(key, "EMBEDDED_KEK").seal(b"half", "row")
    assert by_file.key_ring().open(sealed, "row") == by_program.key_ring().open(sealed, "row") == b"half"


@pytest.mark.parametrize(
    "changed",
    [
        {"embedded_kek_file": "/nowhere/kek"},
        {"embedded_kek_command": "false"},
        {"embedded_kek_command": "/nowhere/kek"},
    ],
)
async def test_a_key_that_cannot_be_had_names_its_setting(changed: dict[str, str], mailbox: Mailbox) -> None:
    settings = settings_for("sqlite:///x.db", mailbox.url, embedded_kek=None, **changed)
    with pytest.raises(StartError, match=re.escape(next(iter(changed)).upper())):
        settings.key_ring()
