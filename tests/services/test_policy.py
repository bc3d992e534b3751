"""The operator's policy: loaded from its file, asked in time, and no where it fails."""

from __future__ import annotations

import asyncio
import inspect
import os
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from tests.docs.pages import blocks
from tests.patience import eventually
from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.decoding.decoded_call import decode_call
from walletmodal.core.errors import SettingsError
from walletmodal.core.requests.policy import Allow, Confirm, Decision, Deny
from walletmodal.core.requests.typed_request import Call, HostedRequest
from walletmodal.core.smart_accounts.sponsorship import Sponsorship
from walletmodal.services.policy import Policy, PolicyFile
from walletmodal.services.policy.policy import FOREIGN_CODE

REQUEST = HostedRequest(
    method="personal_sign", chain=parse_chain_id("eip155:1"), account="0x", origin="https://a.example", message=b"hi"
)
TREASURY = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
OURS = "0x5FbDB2315678afecb367f032d93F642f64180aa3"
APPROVE = bytes.fromhex("095ea7b3" + TREASURY[2:].rjust(64, "0") + "f" * 64)
IMPORTS = "from walletmodal.policy import Allow, Confirm, Deny, Request\n"
Written = Callable[[str], Path]


@pytest.fixture
def written(tmp_path: Path) -> Written:
    """Writes a policy file."""

    def write(text: str) -> Path:
        path = tmp_path / "policy.py"
        path.write_text(IMPORTS + text, "utf-8")
        return path

    return write


async def decided(path: Path, *, seconds: float = 60.0) -> Decision:
    """What the file says of the request."""
    return await Policy(PolicyFile(path), seconds=seconds).decide(REQUEST)


async def test_without_a_file_everything_is_allowed() -> None:
    assert await Policy().decide(REQUEST) == Allow()


async def test_foreign_code_is_denied_before_the_file_is_asked(written: Written) -> None:
    policy = Policy(PolicyFile(written("def decide(request): return Allow()")), seconds=60.0)
    assert await policy.decide(replace(REQUEST, runs_foreign_code=True)) == FOREIGN_CODE


async def test_foreign_code_is_the_files_to_decide_where_the_operator_allows_it(written: Written) -> None:
    file = PolicyFile(written("def decide(request): return Deny(str(request.runs_foreign_code))"))
    policy = Policy(file, seconds=60.0, allow_delegate_calls=True)
    assert await policy.decide(replace(REQUEST, runs_foreign_code=True)) == Deny("True")


def test_a_sponsor_that_is_no_function_keeps_the_server_from_starting(written: Written) -> None:
    with pytest.raises(SettingsError):
        PolicyFile(written("def decide(request): return Allow()\nsponsor = 5"))


@pytest.mark.parametrize("define", ["def", "async def"])
@pytest.mark.parametrize(
    ("answer", "decision"),
    [("Allow()", Allow()), ("Deny('no')", Deny("no")), ("Confirm('sure?')", Confirm("sure?"))],
)
async def test_the_file_decides(written: Written, define: str, answer: str, decision: Decision) -> None:
    assert await decided(written(f"{define} decide(request): return {answer}")) == decision


async def test_the_file_sees_the_request(written: Written) -> None:
    assert await decided(written("def decide(request: Request): return Deny(request.message.decode())")) == Deny("hi")


async def test_a_function_runs_beside_the_event_loop(written: Written) -> None:
    path = written("import threading\ndef decide(request): return Deny(threading.current_thread().name)")
    assert await decided(path) != Deny(threading.current_thread().name)


@pytest.mark.parametrize(
    "body",
    [
        "raise RuntimeError('broken')",
        "raise StopIteration",
        "raise SystemExit(3)",
        "raise KeyboardInterrupt",
        "import asyncio; raise asyncio.CancelledError",
        "return None",
        "return True",
        "return 'allow'",
        "return Allow",
        "return request.no_such_thing",
        "return Deny(None)",
    ],
)
async def test_what_is_no_decision_is_a_denial(written: Written, body: str) -> None:
    assert await decided(written(f"def decide(request):\n    {body}")) == Deny("")


@pytest.mark.parametrize("body", ["raise RuntimeError('broken')", "raise SystemExit(3)", "return None"])
async def test_what_is_no_decision_of_a_coroutine_is_a_denial(written: Written, body: str) -> None:
    assert await decided(written(f"async def decide(request):\n    {body}")) == Deny("")


async def test_a_function_that_takes_too_long_is_a_denial(written: Written) -> None:
    path = written("import threading\ndone = threading.Event()\ndef decide(request): done.wait(); return Allow()")
    file = PolicyFile(path)
    assert await Policy(file, seconds=0.01).decide(REQUEST) == Deny("")
    file.decide().__globals__["done"].set()


async def test_a_coroutine_that_takes_too_long_is_a_denial(written: Written) -> None:
    path = written("import asyncio\nasync def decide(request): await asyncio.Event().wait()")
    assert await decided(path, seconds=0.01) == Deny("")


async def test_a_coroutine_that_comes_when_nobody_waits_any_more_is_closed(written: Written) -> None:
    text = """
        import threading
        done, made = threading.Event(), []
        async def later(): return Allow()
        def decide(request):
            made.append(later())
            done.wait()
            return made[0]
    """
    file = PolicyFile(written(dedent(text)))
    assert await Policy(file, seconds=0.01).decide(REQUEST) == Deny("")
    policy = file.decide().__globals__
    policy["done"].set()
    await eventually(lambda: policy["made"] and inspect.getcoroutinestate(policy["made"][0]) == inspect.CORO_CLOSED)


async def test_more_requests_at_once_than_threads_are_all_decided(written: Written) -> None:
    policy = Policy(PolicyFile(written("def decide(request): return Deny('no')")), seconds=60.0)
    assert set(await asyncio.gather(*(policy.decide(REQUEST) for _ in range(50)))) == {Deny("no")}


async def test_functions_that_hang_leave_others_denied_and_the_loop_free(written: Written) -> None:
    path = written("import threading\ndone = threading.Event()\ndef decide(request): done.wait(); return Allow()")
    file = PolicyFile(path)
    policy = Policy(file, seconds=0.05)
    assert set(await asyncio.gather(*(policy.decide(REQUEST) for _ in range(20)))) == {Deny("")}
    file.decide().__globals__["done"].set()


async def test_a_file_may_have_dataclasses_of_its_own(written: Written) -> None:
    path = written(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n"
        "@dataclass\nclass Rule:\n    most: int = 5\ndef decide(request): return Deny(str(Rule().most))"
    )
    path.write_text(path.read_text("utf-8").removeprefix(IMPORTS).replace("@data", IMPORTS + "@data"), "utf-8")
    assert await decided(path) == Deny("5")


@pytest.mark.parametrize(
    ("request_", "decision"),
    [
        (REQUEST, Allow()),
        (replace(REQUEST, calls=(Call(TREASURY, 0, b"", decode_call(b"")),)), Deny("sign in first")),
        (replace(REQUEST, calls=(Call(TREASURY, 0, b"", decode_call(b"")),), signed_in=True), Allow()),
        (
            replace(REQUEST, calls=(Call(TREASURY, 0, APPROVE, decode_call(APPROVE)),)),
            Deny("unlimited approvals are not used here"),
        ),
        (
            replace(REQUEST, method="eth_sendUserOperation"),
            Confirm("More than 1 ETH, or something that we cannot read"),
        ),
    ],
)
async def test_the_policy_of_the_documentation_does_what_it_says(
    tmp_path: Path, request_: HostedRequest, decision: Decision
) -> None:
    path = tmp_path / "policy.py"
    path.write_text(blocks("python", "docs/policy.md")[0].code, "utf-8")
    assert await Policy(PolicyFile(path), seconds=60.0).decide(request_) == decision


@pytest.mark.parametrize(
    ("signed_in", "to", "decision"),
    [
        (True, OURS, Allow()),
        (True, TREASURY, Deny("only what members do in our shop")),
        (False, OURS, Deny("only what members do in our shop")),
    ],
)
async def test_the_sponsor_of_the_documentation_does_what_it_says(
    tmp_path: Path, signed_in: bool, to: str, decision: Decision
) -> None:
    decide, sponsor = blocks("python", "docs/policy.md")
    path = tmp_path / "policy.py"
    path.write_text(decide.code + sponsor.code, "utf-8")
    asked = replace(REQUEST, signed_in=signed_in, calls=(Call(to, 0, b"", decode_call(b"")),))
    sponsorship = Sponsorship(asked, cost=1, spent_by_visitor=0, spent=0)
    assert await Policy(PolicyFile(path), seconds=60.0).sponsor(sponsorship) == decision


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("def decide(request) return", "SyntaxError"),
        ("import no_such_module_anywhere", "ModuleNotFoundError"),
        ("raise SystemExit", "SystemExit"),
        ("def decides(request): pass", "it defines no function"),
        ("decide = 5", "it defines no function"),
    ],
)
def test_a_broken_file_is_told_at_the_start(written: Written, text: str, why: str) -> None:
    path = written(text)
    with pytest.raises(SettingsError) as raised:
        PolicyFile(path)
    (problem,) = raised.value.problems
    assert problem.setting == "POLICY_FILE"
    assert str(path) in problem.problem
    assert why in problem.problem


def test_a_file_that_is_not_there_is_told_at_the_start(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="FileNotFoundError"):
        PolicyFile(tmp_path / "nowhere.py")


def changed(path: Path, text: str) -> None:
    """Writes the file anew, later than before however coarse the clock of the files is."""
    before = path.stat().st_mtime_ns
    path.write_text(IMPORTS + text, "utf-8")
    os.utime(path, ns=(before + 10**9, before + 10**9))


async def test_a_change_is_followed_where_that_is_wanted(written: Written) -> None:
    path = written("def decide(request): return Allow()")
    follows, keeps = Policy(PolicyFile(path, reloads=True)), Policy(PolicyFile(path))
    changed(path, "def decide(request): return Deny('new')")
    assert [await policy.decide(REQUEST) for policy in (follows, keeps)] == [Deny("new"), Allow()]


async def test_a_change_that_breaks_the_file_allows_nothing_until_it_is_repaired(written: Written) -> None:
    path = written("def decide(request): return Allow()")
    policy = Policy(PolicyFile(path, reloads=True))
    changed(path, "def decide(request")
    broken = [await policy.decide(REQUEST) for _ in range(2)]
    changed(path, "def decide(request): return Confirm()")
    assert (broken, await policy.decide(REQUEST)) == ([Deny(""), Deny("")], Confirm())
