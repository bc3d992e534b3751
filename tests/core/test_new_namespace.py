"""A namespace is added by its folders and its name in one list: whatever deals with namespaces finds it there."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from walletmodal.core.chains.caip import NAMESPACES
from walletmodal.features.account.state import ACCOUNTS

_ADDED = """
import json, sys
from types import ModuleType

from walletmodal.core.chains import caip

caip.NAMESPACES += ("near",)

from walletmodal.core.namespaces.descriptor import NamespaceDescriptor


def folder(name, **content):
    sys.modules[name] = module = ModuleType(name)
    vars(module).update(content)


fault = lambda address: None if address.endswith(".near") else "malformed"
folder("walletmodal.core.namespaces.near.descriptor", DESCRIPTOR=NamespaceDescriptor(
    title="NEAR", account_word="NEAR", picture="/networks/near.svg", address_fault=fault, ping="status",
    uri_scheme="near", features=frozenset({"activity"}),
))

from walletmodal.core.parsing.schema import record, text
from walletmodal.core.requests.method import MethodSpec

folder("walletmodal.core.namespaces.near.methods", ONLY_PAIRED=(), METHODS=(
    MethodSpec("near_signMessage", "wallet", params=record({"message": text()}), paired=True,
               sign_in=lambda message: {"message": message.account_id.address}),
))
folder("walletmodal.services.chains.near", open_adapter=lambda transport: "the adapter")

from walletmodal.core.accounts.account import default_account_type
from walletmodal.core.chains.addresses import is_address, normal_address
from walletmodal.core.protocol.host_calls import parse_request
from walletmodal.core.protocol.options import Features
from walletmodal.core.requests.methods import find_method, sign_in_request
from walletmodal.core.requests.reading import read_request
from walletmodal.core.requests.summary import summarize
from walletmodal.core.sign_in.message import parse_sign_in_message, sign_in_text
from walletmodal.core.transfers.receiver_checks import is_burn_address, is_foreign_address
from walletmodal.core.transfers.receiver_input import clean_receiver
from walletmodal.core.wallets.pairing import Host, proposal
from walletmodal.features.account.offers import offered_actions, offered_tabs
from walletmodal.services.chains.registry import Chains
from walletmodal.ui.chains import chain_name
from walletmodal.web.openapi import document

chain = caip.parse_chain_id("near:mainnet")
asked = parse_request({"namespace": "near", "method": "near_signMessage", "params": {"message": "hi"}})
read = read_request(method=asked.method, chain=chain, account="ann.near", origin="https://a.example", params=asked.params)
signing = parse_sign_in_message({
    "domain": "a.example", "accountAddress": "ann.near", "chainId": "near:mainnet", "uri": "https://a.example",
    "nonce": "12345678", "issuedAt": "2026-01-01T00:00:00.000Z",
})
print(json.dumps({
    "address": [is_address("near", "ann.near"), is_address("near", "ann"), normal_address("near", "ann.near")],
    "receiver": [clean_receiver("near:ann.near").namespace, is_burn_address("near", "ann.near"),
                 is_foreign_address("eip155", "ann.near")],
    "type": default_account_type("near"),
    "request": [find_method("near", "near_signMessage").check({"message": "hi"}), summarize(read).title],
    "sign-in": [sign_in_text(signing).splitlines()[0], sign_in_request(signing)],
    "pairing": proposal(["near:mainnet"], Host("", "", "https://a.example", []))["namespaces"]["near"]["methods"],
    "offers": [offered_actions(Features(), "near"), offered_tabs(Features(), "near")],
    "adapter": Chains(None).adapter("near"),
    "title": "NEAR" in str(chain_name("near")),
    "documented": "near" in json.dumps(document()),
}))
"""


@pytest.fixture(scope="module")
def added() -> Any:
    """What a fresh process makes of one namespace more."""
    made = subprocess.run([sys.executable, "-c", _ADDED], check=True, capture_output=True, text=True)
    return json.loads(made.stdout)


@pytest.mark.parametrize(
    ("what", "found"),
    [
        ("address", [True, False, "ann.near"]),
        ("receiver", ["near", False, True]),
        ("type", "eoa"),
        ("request", [{"message": "hi"}, "Ask the wallet"]),
        (
            "sign-in",
            ["a.example wants you to sign in with your NEAR account:", ["near_signMessage", {"message": "ann.near"}]],
        ),
        ("pairing", ["near_signMessage"]),
        ("offers", [["receive"], ["Activity"]]),
        ("adapter", "the adapter"),
        ("title", True),
        ("documented", True),
    ],
)
def test_a_namespace_is_known_by_its_folders(added: dict[str, Any], what: str, found: object) -> None:
    assert added[what] == found


def test_every_namespace_has_its_account_state() -> None:
    assert ACCOUNTS.keys() == set(NAMESPACES), "add a state class and its line in features/account/state.py"
