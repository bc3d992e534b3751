"""A test over a list tries every case and reports all that fail."""

import pytest

from tests.cases import every_case


def test_every_case_is_tried_though_one_before_failed() -> None:
    tried: list[int] = []

    @every_case("number", [1, 2, 3])
    def test(number: int) -> None:
        tried.append(number)
        assert number == 2

    with pytest.raises(BaseExceptionGroup) as raised:
        test()
    assert tried == [1, 2, 3]
    assert [failure.__notes__ for failure in raised.value.exceptions] == [["case: 1"], ["case: 3"]]


def test_an_error_that_did_not_come_is_a_failure_of_its_case() -> None:
    @every_case(("text", "number"), [("1", 1), pytest.param("x", 2, id="named")])
    def test(text: str, number: int) -> None:
        with pytest.raises(ValueError, match="invalid"):
            assert int(text) == number

    with pytest.raises(BaseExceptionGroup) as raised:
        test()
    assert [failure.__notes__ for failure in raised.value.exceptions] == [["case: '1', 1"]]


def test_lists_are_multiplied() -> None:
    tried: list[tuple[int, str]] = []

    @every_case("number", [1, 2])
    @every_case("letter", "ab")
    def test(number: int, letter: str) -> None:
        tried.append((number, letter))

    test()
    assert tried == [(1, "a"), (1, "b"), (2, "a"), (2, "b")]


def test_a_list_without_a_case_is_refused() -> None:
    with pytest.raises(AssertionError, match="tests nothing"):
        every_case("number", [])


@every_case("number", [1, 2])
def test_fixtures_are_given_as_to_any_test(number: int, request: pytest.FixtureRequest) -> None:
    assert request.function.__name__ == "test_fixtures_are_given_as_to_any_test"
    assert number in (1, 2)
