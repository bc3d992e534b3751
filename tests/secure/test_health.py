"""`/_health` of the secure site and of the recovery service."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from sqlalchemy import event

from tests.ports import free_ports
from walletmodal.db.engine import close_engine, open_engine
from walletmodal.secure.health import health_endpoint

NOBODY: Any = None
"""What is asked does not depend on who asks."""


async def test_all_who_ask_at_once_take_one_connection(tmp_path: Path) -> None:
    """Or anybody could take those that visitors wait for."""
    engine, taken = open_engine(f"sqlite:///{tmp_path}/secure.db"), list[object]()
    event.listen(engine.sync_engine, "begin", taken.append)
    health = health_endpoint(engine)
    answers = await asyncio.gather(*(health(NOBODY) for _ in range(20)))
    await close_engine(engine)
    assert ({answer.status_code for answer in answers}, len(taken)) == ({200}, 1)


async def test_a_database_that_is_away_makes_it_unhealthy() -> None:
    engine = open_engine(f"postgresql://nobody@127.0.0.1:{free_ports()}/nothing")
    answer = await health_endpoint(engine)(NOBODY)
    await close_engine(engine)
    assert (answer.status_code, bytes(answer.body)) == (503, b'{"status":"failing","db":false}')
