"""The order of several transports: 0.7 for steadiness, 0.3 for quickness, over ten samples."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.services.rpc.ranking import Ranking, Sample

QUICK, SLOW, FAILED = Sample(True, 0.1), Sample(True, 0.4), Sample(False, 0.2)
SAMPLES = st.builds(Sample, st.booleans(), st.floats(0, 1))


def test_before_any_ping_the_order_is_the_configurations() -> None:
    assert Ranking(3).order == (0, 1, 2)


def test_of_equally_steady_ones_the_quicker_is_first() -> None:
    ranking = Ranking(2)
    ranking.add([SLOW, QUICK])
    assert ranking.order == (1, 0)


def test_the_steadier_comes_before_the_quicker() -> None:
    ranking = Ranking(2)
    ranking.add([QUICK, SLOW])
    ranking.add([FAILED, SLOW])
    assert ranking.order == (1, 0)


def test_the_scores_are_weighed() -> None:
    ranking = Ranking(2)
    ranking.add([QUICK, SLOW])
    ranking.add([FAILED, SLOW])
    # Half answered, 0.15 s of 0.4 s on average; and all answered, at the slowest of all.
    assert ranking.scores() == pytest.approx((0.7 * 0.5 + 0.3 * (1 - 0.15 / 0.4), 0.7))


def test_what_never_answers_is_last_however_quickly_it_fails() -> None:
    ranking = Ranking(2)
    ranking.add([Sample(False, 0.001), SLOW])
    assert (ranking.order, ranking.scores()[0]) == ((1, 0), 0)


def test_equals_stay_in_the_order_of_the_configuration() -> None:
    ranking = Ranking(3)
    ranking.add([QUICK] * 3)
    assert ranking.order == (0, 1, 2)


def test_only_the_last_ten_samples_count() -> None:
    ranking = Ranking(2)
    ranking.add([FAILED, QUICK])
    for _ in range(10):
        ranking.add([QUICK, QUICK])
    assert ranking.scores()[0] == ranking.scores()[1]


def test_no_time_at_all_is_the_best_time() -> None:
    ranking = Ranking(1)
    ranking.add([Sample(True, 0.0)])
    assert ranking.scores() == (1.0,)


@given(st.integers(1, 4).flatmap(lambda count: st.lists(st.lists(SAMPLES, min_size=count, max_size=count), min_size=1)))
def test_scores_lie_between_none_and_all_and_the_order_follows_them(rounds: list[list[Sample]]) -> None:
    ranking = Ranking(len(rounds[0]))
    for samples in rounds:
        ranking.add(samples)
    scores = ranking.scores()
    assert all(0 <= score <= 1 for score in scores)
    assert [scores[place] for place in ranking.order] == sorted(scores, reverse=True)
