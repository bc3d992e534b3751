"""Equal questions at once are asked once."""

import asyncio

import pytest

from tests.patience import patience
from walletmodal.services.single_flight import SingleFlight


class Question:
    """A question that is answered when its gate opens."""

    def __init__(self, flights: SingleFlight[int]) -> None:
        self.flights, self.gate, self.asked, self.newest = flights, asyncio.Event(), 0, list[bool]()
        self.failure: Exception | None = None

    async def ask(self) -> int:
        self.asked += 1
        number = self.asked
        await self.gate.wait()
        self.newest.append(self.flights.is_newest("key"))
        if self.failure:
            raise self.failure
        return number

    def start(self, *, fresh: bool = False) -> asyncio.Task[int]:
        return asyncio.create_task(self.flights.join("key", self.ask, fresh=fresh))

    async def asked_times(self, count: int) -> None:
        async with patience():
            while self.asked < count:
                await asyncio.sleep(0)


@pytest.fixture
def question() -> Question:
    return Question(SingleFlight())


async def test_equal_questions_are_joined(question: Question) -> None:
    tasks = [question.start() for _ in range(50)]
    question.gate.set()
    assert await asyncio.gather(*tasks) == [1] * 50


async def test_after_the_answer_it_is_asked_anew(question: Question) -> None:
    question.gate.set()
    assert [await question.start(), await question.start()] == [1, 2]


async def test_an_error_reaches_all_and_is_not_kept(question: Question) -> None:
    question.failure = ValueError("no")
    tasks = [question.start() for _ in range(3)]
    question.gate.set()
    assert [type(e) for e in await asyncio.gather(*tasks, return_exceptions=True)] == [ValueError] * 3
    question.failure = None
    assert await question.start() == 2


async def test_who_leaves_does_not_take_the_answer_from_the_others(question: Question) -> None:
    leaving, staying = question.start(), question.start()
    await question.asked_times(1)
    leaving.cancel()
    question.gate.set()
    assert await staying == 1


async def test_a_question_that_all_have_left_runs_to_its_end(question: Question) -> None:
    question.failure = ValueError("nobody's error")
    leaving = question.start()
    await question.asked_times(1)
    leaving.cancel()
    await asyncio.gather(leaving, return_exceptions=True)
    question.gate.set()
    async with patience():
        while not question.newest:
            await asyncio.sleep(0)
    assert question.newest == [True]


async def test_a_fresh_question_is_asked_beside_the_running_one(question: Question) -> None:
    old = question.start()
    await question.asked_times(1)
    fresh = question.start(fresh=True)
    await question.asked_times(2)
    question.gate.set()
    assert [await old, await fresh] == [1, 2]
    assert question.newest == [False, True]


async def test_who_asks_after_a_fresh_question_gets_its_answer(question: Question) -> None:
    first = question.start()
    await question.asked_times(1)
    fresh = question.start(fresh=True)
    await question.asked_times(2)
    later = question.start()
    question.gate.set()
    assert [await first, await fresh, await later] == [1, 2, 2]


async def test_closing_gives_up_what_runs(question: Question) -> None:
    tasks = [question.start(), question.start(fresh=True)]
    await question.asked_times(2)
    await question.flights.close()
    assert [type(e) for e in await asyncio.gather(*tasks, return_exceptions=True)] == [asyncio.CancelledError] * 2
