"""PostgreSQL that is more than one process on a disk with room: a primary with its standby, and one whose disk fills."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import asyncpg

from tests.patience import patience
from tests.services_fixtures import PostgresServer

_DISK: Final = "160m"
_REST: Final = 64 * 1024
"""Bytes that a full disk still has: less than a file of the log."""


class Standby(PostgresServer):
    """Follows a primary over its stream, which waits with each commit until this one has it too.

    Args:
        primary: that runs.
    """

    def __init__(self, primary: PostgresServer) -> None:
        super().__init__()
        self._primary = primary

    def start(self) -> None:
        """Copy the primary, and follow it."""
        if os.geteuid() == 0:
            shutil.chown(self._folder, "postgres", "postgres")
        source = ["-h", "127.0.0.1", "-p", str(self._primary.port), "-U", "postgres"]
        self._run("pg_basebackup", *source, "-D", str(self._data), "-R", "-c", "fast")
        self.resume()

    def promote(self) -> None:
        """Become the primary."""
        self._run("pg_ctl", "-D", str(self._data), "-w", "promote")

    async def hold_commits(self) -> None:
        """Has the primary wait for this one from now on."""
        connection: Any = await asyncpg.connect(self._primary.url("postgres"))
        try:
            await connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            await connection.execute("SELECT pg_reload_conf()")
            async with patience():
                while not await connection.fetchval(
                    "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"
                ):
                    await asyncio.sleep(0.1)
        finally:
            await connection.close()


class SmallDisk(PostgresServer):
    """All of it is on a disk of its own.

    Args:
        folder: where that is mounted.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__()
        shutil.rmtree(self._folder)
        self._folder, self._data = folder, folder / "data"
        self._filler = folder / "filler"

    def fill(self) -> None:
        """Leave no room."""
        left = shutil.disk_usage(self._folder).free - _REST
        with self._filler.open("wb") as file:
            os.posix_fallocate(file.fileno(), 0, left)

    async def make_room(self) -> None:
        """There is room again; where it has ended over the full disk, an operator starts it."""
        self._filler.unlink()
        async with patience():
            while not await self._answers():
                with suppress(subprocess.CalledProcessError):
                    await asyncio.to_thread(self.resume)

    async def _answers(self) -> bool:
        try:
            connection: Any = await asyncpg.connect(self.url("postgres"), timeout=1)
        except (OSError, TimeoutError, asyncpg.PostgresError):
            return False
        await connection.close()
        return True

    def stop(self) -> None:
        """Stop; the data goes with the disk."""
        with suppress(subprocess.CalledProcessError):
            self.halt()


@contextmanager
def small_disk() -> Iterator[Path]:
    """One in memory, for the length of the block.

    Raises:
        PermissionError: this process may not mount anything.
    """
    with tempfile.TemporaryDirectory(prefix="walletmodal-disk-") as made:
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={_DISK}", "tmpfs", made], check=False)
        if mounted.returncode:
            raise PermissionError("a disk cannot be mounted here")
        try:
            yield Path(made)
        finally:
            # A process of the server may still be ending there.
            subprocess.run(["umount", "--lazy", made], check=True)
