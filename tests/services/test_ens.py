"""ENS by what its contracts answer: families of names, answers that are kept elsewhere, nonsense. Real names: `test_receivers.py`."""

from typing import Any

import pytest
from eth_abi.abi import encode
from hypothesis import given
from hypothesis import strategies as st

from walletmodal.core.chains.caip import parse_chain_id
from walletmodal.core.errors import HttpRequestError, RpcRequestError
from walletmodal.core.errors.receivers import NameLookupError
from walletmodal.services.names import NormalName, normal_form
from walletmodal.services.names.ens import ENS_REGISTRY, EnsNames, namehash

MAINNET, POLYGON = parse_chain_id("eip155:1"), parse_chain_id("eip155:137")
RESOLVER = "0x" + "5e" * 20
ALICE = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
BOB = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8"
SUPPORTS, RESOLVE, ADDR, COIN_ADDR = "0x01ffc9a7", "0x9061b923", "0x3b3b57de", "0xf1cb7e06"


def word(address: str) -> str:
    return f"0x{'0' * 24}{address[2:]}"


def refused(code: int, details: str, data: object = None) -> RpcRequestError:
    return RpcRequestError(code=code, details=details, url="http://node", data=data)


class Contracts:
    """Names that have a resolver, and what the resolver answers by the selector of the question."""

    def __init__(self, *names: str, **answers: Any) -> None:
        self.nodes = {f"0x0178b8bf{namehash(name.split('.')).hex()}" for name in names}
        self.answers = answers
        self.asked: list[str] = []

    async def request(self, method: str, params: list[Any]) -> object:
        call, _ = params
        assert method == "eth_call"
        if call["to"] == ENS_REGISTRY:
            return word(RESOLVER if call["data"] in self.nodes else "0x" + "0" * 40)
        self.asked.append(call["data"])
        answer = self.answers.get(call["data"][:10], "0x")
        if isinstance(answer, Exception):
            raise answer
        return answer


def ens(contracts: Contracts) -> EnsNames:
    return EnsNames(lambda _chain: contracts)  # type: ignore[arg-type, return-value]  # a double with the one method that is called


async def test_a_name_leads_to_its_address() -> None:
    contracts = Contracts("alice.eth", **{ADDR: word(ALICE)})
    assert await ens(contracts).address("alice.eth", MAINNET) == ALICE


async def test_the_address_of_the_network_comes_before_that_of_ethereum() -> None:
    own = f"0x{encode(['bytes'], [bytes.fromhex(BOB[2:])]).hex()}"
    contracts = Contracts("alice.eth", **{ADDR: word(ALICE), COIN_ADDR: own})
    assert await ens(contracts).address("alice.eth", POLYGON) == BOB
    assert await ens(contracts).address("alice.eth", MAINNET) == ALICE


async def test_a_parent_answers_for_all_below_it_only_if_it_says_so() -> None:
    inner = f"0x{encode(['bytes'], [bytes.fromhex(word(ALICE)[2:])]).hex()}"
    family = {SUPPORTS: f"0x{1:064x}", RESOLVE: inner}
    assert await ens(Contracts("fam.eth", **family)).address("kid.fam.eth", MAINNET) == ALICE
    assert await ens(Contracts("fam.eth", **{ADDR: word(ALICE)})).address("kid.fam.eth", MAINNET) is None


async def test_an_answer_that_is_kept_elsewhere_is_not_fetched_and_not_taken_for_none() -> None:
    elsewhere = refused(3, "execution reverted", "0x556f1830" + "0" * 64)
    for contracts in (
        Contracts("fam.eth", **{SUPPORTS: f"0x{1:064x}", RESOLVE: elsewhere}),
        Contracts("fam.eth", **{ADDR: elsewhere}),
    ):
        with pytest.raises(NameLookupError):
            await ens(contracts).address("fam.eth", MAINNET)


@pytest.mark.parametrize(
    "answer",
    [
        "0x",
        "0x00",
        "zz",
        None,
        5,
        "0x" + "0" * 64,
        "0x" + "f" * 64,
        refused(3, "execution reverted"),
    ],
)
async def test_a_resolver_that_answers_nothing_leads_nowhere(answer: Any) -> None:
    assert await ens(Contracts("a.eth", **{ADDR: answer, COIN_ADDR: answer})).address("a.eth", POLYGON) is None


async def test_a_node_that_cannot_be_asked_is_no_missing_name() -> None:
    for error in (
        HttpRequestError(url="http://node", details="refused"),
        refused(-32000, "busy"),
    ):
        with pytest.raises(NameLookupError):
            await ens(Contracts("a.eth", **{ADDR: error})).address("a.eth", MAINNET)


@pytest.mark.parametrize("name", [".".join("a" * 17), "x" * 256 + ".eth"])
async def test_a_name_that_nobody_can_have_asked_nobody(name: str) -> None:
    contracts = Contracts("eth")
    assert await ens(contracts).address(name, MAINNET) is None
    assert contracts.asked == []


@given(raw=st.binary(max_size=200))
async def test_whatever_an_account_calls_itself_is_a_short_text(raw: bytes) -> None:
    contracts = Contracts(f"{ALICE[2:].lower()}.addr.reverse", **{"0x691f3431": f"0x{raw.hex()}"})
    assert len(await ens(contracts).primary_name(ALICE)) <= 255


@pytest.mark.parametrize(
    ("typed", "text", "confusable"),
    [
        ("alice.eth", "alice.eth", False),
        ("ALICE.Eth", "alice.eth", False),
        ("a-b.c1.xyz", "a-b.c1.xyz", False),
        ("日本.eth", "日本.eth", False),
        ("👨\u200d👩\u200d👧.eth", "👨\u200d👩\u200d👧.eth", False),
        ("❤️.eth", "❤.eth", False),
        # Letters that are drawn like others, and what is not drawn at all.
        ("ａlice.eth", "alice.eth", True),
        ("Ⅷ.eth", "viii.eth", True),
        ("al\u00adice.eth", "alice.eth", True),
        ("müller.eth", "müller.eth", True),
        ("аlice.eth", "", True),
        ("аре.eth", "", True),
        ("vitalık.eth", "", True),
        ("al\u200bice.eth", "alice.eth", True),
        # Nothing that could be mistaken for anything.
        ("a..eth", "", False),
        ("a_b.eth", "", False),
        ("ab--cd.eth", "", False),
        ("x" * 300 + ".eth", "", False),
        ("a b.eth", "", False),
    ],
)
async def test_names_have_one_form(typed: str, text: str, confusable: bool) -> None:
    assert await normal_form(typed) == NormalName(text, confusable)


@given(st.from_regex(r"[a-zA-Z0-9-]{1,8}(\.[a-zA-Z0-9-]{1,8}){1,3}", fullmatch=True))
async def test_plain_names_have_the_form_that_the_rules_give_them(typed: str) -> None:
    from walletmodal.services.names.ensip15 import ensip15  # noqa: PLC0415 - its tables are read on import

    assert (await normal_form(typed)).text == (ensip15(typed) or "")


@given(st.text(max_size=40))
async def test_a_normal_form_is_its_own_normal_form(typed: str) -> None:
    form = await normal_form(typed)
    assert not form.text or (await normal_form(form.text)).text == form.text
