"""What hosts write with ethers, viem, web3.js and @solana/web3.js works through the providers of the modal."""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from eth_account import Account
from eth_account.messages import encode_defunct
from eth_utils.crypto import keccak
from solders.keypair import Keypair
from solders.signature import Signature

from tests.browser.chain import Chain, new_account
from tests.browser.regulars import Regular, put_away
from tests.browser.stack import SOLANA, Stack
from tests.browser.visits import Visit, Visiting
from tests.browser.wallet_bundle import LIBRARIES, wallet_script
from tests.browser.wallets.solana import SolanaWallet, SolanaWalletSetup

EVM_LIBRARIES: Final = ("ethers", "viem", "web3")
VALUE: Final = 5 * 10**17
CONTRACT: Final = "0x00000000000000000000000000000000c0ffee01"


def contract_code() -> str:
    """A contract: `ring()` emits `Rang(1)`, everything else reverts with `Refused(7)`."""
    ring, refused, rang = (keccak(text=text) for text in ("ring()", "Refused(uint256)", "Rang(uint256)"))
    refuse = f"63{refused[:4].hex()}60e01b600052600760045260246000fd"
    head = f"60003560e01c63{ring[:4].hex()}14"
    jump = f"60{len(bytes.fromhex(head)) + 3 + len(bytes.fromhex(refuse)):02x}57"
    return f"0x{head}{jump}{refuse}5b60017f{rang.hex()}60006000a200"


def begin(visitor: Visit, library: str, method: str, *arguments: object) -> None:
    """Have a library do something, without waiting; `visitor.modal.outcome(method)` tells how it ended."""
    visitor.page.evaluate(
        """([library, method, given]) => {
          const outcomes = (window.__outcomes ??= {});
          outcomes[method] = null;
          Promise.resolve().then(() => libraries[library][method](...given)).then(
            (value) => { outcomes[method] = { value }; },
            (error) => { outcomes[method] = { code: error.code ?? null, message: error.message }; });
        }""",
        [library, method, list(arguments)],
    )


def done(visitor: Visit, library: str, method: str, *arguments: object, approve: str = "") -> Any:
    """What a library gives, once the wallet's owner has approved what it is asked."""
    begin(visitor, library, method, *arguments)
    if approve:
        visitor.wallet.approve(approve)
    outcome = visitor.modal.outcome(method)
    assert "value" in outcome, outcome
    return outcome["value"]


@pytest.fixture(scope="module", params=EVM_LIBRARIES)
def library(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def regular_host(library: str, shared_visit: Visiting) -> Regular[Visit]:
    def arrive() -> Visit:
        visitor = shared_visit(before=[wallet_script(LIBRARIES)])
        begin(visitor, library, "connect")
        visitor.modal.expect_view("Connect Wallet")
        visitor.modal.choose_wallet()
        visitor.wallet.approve()
        assert visitor.modal.outcome("connect") == {"value": visitor.account.address}
        return visitor

    return Regular(arrive, put_away)


@pytest.fixture
def host(regular_host: Regular[Visit]) -> Iterator[Visit]:
    """A page of a host that uses the library, which has asked its visitor to connect."""
    with regular_host.returning() as visitor:
        yield visitor


@pytest.fixture(scope="module")
def chain(stack: Stack) -> Chain:
    chain = stack.chain(1)
    chain.call("anvil_setCode", CONTRACT, contract_code())
    return chain


def test_it_reads(library: str, host: Visit, chain: Chain) -> None:
    chain.fund(host.account.address, "2")
    assert int(done(host, library, "balance", host.account.address)) == chain.balance(host.account.address)


def test_it_signs(library: str, host: Visit) -> None:
    signature = done(host, library, "sign", "Grüße", approve="personal_sign")
    assert Account.recover_message(encode_defunct(text="Grüße"), signature=signature) == host.account.address


def test_it_signs_typed_data(library: str, host: Visit) -> None:
    assert done(host, library, "signTyped", "hello", approve="eth_signTypedData_v4") == host.account.address


def test_it_sends_and_waits_until_that_is_mined(library: str, host: Visit, chain: Chain) -> None:
    chain.fund(host.account.address, "1")
    receiver = new_account().address
    done(host, library, "send", receiver, str(VALUE), approve="eth_sendTransaction")
    assert chain.balance(receiver) == VALUE


def test_it_is_told_why_a_contract_refuses(library: str, host: Visit, chain: Chain) -> None:
    assert done(host, library, "failing", CONTRACT) == "Refused 7"


def test_it_watches_what_a_contract_emits(library: str, host: Visit, chain: Chain) -> None:
    owner = chain.call("eth_accounts")
    assert isinstance(owner, list)
    host.page.evaluate(
        """([library, contract]) => {
          window.watching = false;
          window.seen = null;
          const told = (hash) => { window.seen = hash; };
          libraries[library].watch(contract, () => { window.watching = true; }).then(told, (error) => told(String(error)));
        }""",
        [library, CONTRACT],
    )
    host.modal.wait(lambda: host.page.evaluate("watching"), what="the library watching")
    sent = set[object]()

    def heard() -> object:
        ring = {"from": owner[0], "to": CONTRACT, "data": "0x" + keccak(text="ring()")[:4].hex()}
        sent.add(chain.call("eth_sendTransaction", ring))
        return host.page.evaluate("seen")

    assert host.modal.wait(heard, what="the event") in sent


def test_a_refusal_is_known_as_one(library: str, host: Visit) -> None:
    begin(host, library, "sign", "no")
    host.wallet.reject("personal_sign")
    assert re.search("reject|denied", str(host.modal.outcome("sign")["message"]), re.IGNORECASE)


def test_it_switches(library: str, host: Visit) -> None:
    assert done(host, library, "switchTo", 137, approve="wallet_switchEthereumChain") == 137
    assert done(host, library, "switchTo", 1, approve="wallet_switchEthereumChain") == 1


def test_a_thousand_reads_are_answered_of_a_page_whose_frame_is_not_loaded_yet(visit: Visiting, chain: Chain) -> None:
    visitor = visit(options={"preload": "none"})
    address = new_account().address
    chain.fund(address, "1")
    visitor.page.evaluate(
        """(address) => {
          const ask = () => modal.getProvider("eip155").request({ method: "eth_getBalance", params: [address, "latest"] });
          window.answers = null;
          Promise.all(Array.from({ length: 1000 }, ask)).then((found) => { window.answers = found; });
        }""",
        address,
    )
    found = visitor.modal.wait(lambda: visitor.page.evaluate("answers"), what="a thousand answers")
    assert found == [hex(10**18)] * 1000


@pytest.fixture(scope="module")
def key() -> Keypair:
    return Keypair()


def put_away_with_solana(visitor: Visit) -> None:
    wallet = SolanaWallet(visitor.page)
    for question in wallet.pending():
        wallet.reject(question["method"])
    put_away(visitor)


@pytest.fixture(scope="module")
def regular_solana_host(shared_visit: Visiting, stack: Stack, key: Keypair) -> Regular[Visit]:
    return Regular(lambda: connected_on_solana(shared_visit, stack, key), put_away_with_solana)


@pytest.fixture
def solana_host(regular_solana_host: Regular[Visit]) -> Iterator[Visit]:
    """A page of a host that uses @solana/web3.js, which has asked its visitor to connect."""
    with regular_solana_host.returning() as visitor:
        yield visitor


def connected_on_solana(shared_visit: Visiting, stack: Stack, key: Keypair) -> Visit:
    visitor = shared_visit(
        options={"networks": [SOLANA]},
        before=[wallet_script(LIBRARIES), SolanaWalletSetup(stack.solana_url, (key,)).init_script()],
        wallet={"announce": False, "extra": {"onWindow": False}},
    )
    body = {"address": str(key.pubkey()), "chain": SOLANA, "amount": str(10**10)}
    stack.client.post(f"{stack.demo}/sandbox/faucet", json=body).raise_for_status()
    begin(visitor, "solana", "connect")
    visitor.modal.expect_view("Connect Wallet")
    visitor.modal.choose_wallet("Burner Wallet")
    SolanaWallet(visitor.page).approve()
    assert visitor.modal.outcome("connect") == {"value": str(key.pubkey())}
    return visitor


def approved(host: Visit, method: str, *arguments: object, asks: str = "signTransaction", times: int = 1) -> Any:
    """What @solana/web3.js gives, once the wallet's owner has approved what it is asked, each of so many times."""
    begin(host, "solana", method, *arguments)
    for _ in range(times):
        SolanaWallet(host.page).approve(asks)
    outcome = host.modal.outcome(method)
    assert "value" in outcome, outcome
    return outcome["value"]


def lamports(stack: Stack, address: str) -> int:
    body = {"jsonrpc": "2.0", "id": 1, "method": "getBalance", "params": [address, {"commitment": "processed"}]}
    found: int = stack.client.post(stack.solana_url, json=body).raise_for_status().json()["result"]["value"]
    return found


def test_a_message_is_signed_on_solana(solana_host: Visit, key: Keypair) -> None:
    signature = approved(solana_host, "sign", "Grüße", asks="signMessage")
    assert Signature(bytes.fromhex(signature)).verify(key.pubkey(), "Grüße".encode())


@pytest.mark.parametrize(
    ("method", "arguments"),
    [("signAndSend", [False]), ("signAndSend", [True]), ("send", []), ("sendOver", [])],
    ids=["signed", "signed-v0", "sent-by-the-wallet", "sent-by-the-connection"],
)
def test_a_transaction_arrives_on_solana(
    solana_host: Visit, stack: Stack, method: str, arguments: list[object]
) -> None:
    receiver = str(Keypair().pubkey())
    approved(solana_host, method, stack.solana_url, receiver, 10**9, *arguments)
    solana_host.modal.wait(lambda: lamports(stack, receiver) == 10**9, what="the coins at the receiver")


def test_several_transactions_are_signed_at_once_on_solana(solana_host: Visit, stack: Stack) -> None:
    receiver = str(Keypair().pubkey())
    assert approved(solana_host, "signAll", stack.solana_url, receiver, [10**9, 2 * 10**9], times=2) == 2
