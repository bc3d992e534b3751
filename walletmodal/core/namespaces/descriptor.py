"""Descriptor of a namespace: `core/namespaces/<namespace>/descriptor.py` has each."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from walletmodal.core.chains.caip import ChainId

AddressFault = Literal["malformed", "checksum"]

AccountKind = Literal["eoa", "smartAccount", "payment"]

NamespaceFeature = Literal["activity", "balance", "names", "nfts", "onramp", "send", "swaps"]
"""activity: the past of an account is shown. balance: the native coin and tokens. names: accounts have names, and may be named so.
onramp: coins can be bought. send: transfers are made, and followed."""

TextChecksum = Literal["base58", "bech32"]


def _as_given(address: str) -> str:
    return address


def _nothing(_text: str) -> bool:
    return False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamespaceDescriptor:
    """One namespace. What talks to its nodes is its `ChainAdapter` (`services/chains/<namespace>`).

    Attributes:
        title: what visitors call this kind of chain.
        account_word: how the first line of a sign-in names the account; wallets recognise a sign-in, and check its domain, by exactly this.
        picture: path of the picture that stands for it.
        features: what can be done with its accounts.
        default_account_type: the type of an account where the host wants none in particular.
        paired_account_type: that of an account that came through pairing or a browser wallet.
        native_address: what stands for the native coin where a service wants a contract.
        address_fault: what is wrong with an ASCII text of at most 128 characters as an address, or None.
        normal_address: the one spelling of an address that we keep.
        comparable_address: the one spelling by which addresses are compared, of any text.
        ignores_case: case tells no two of its addresses or hashes apart.
        claims_address: whether a text is meant as one of its addresses although its checksum does not fit.
        is_burn_address: whether nobody has the key of a valid address.
        address_checksums: how its addresses end, where other kinds of chains write theirs alike.
        ping: what its nodes are asked to see whether they answer.
        network_question: what its nodes are asked to tell which network they have; "" where nothing goes over nodes.
        is_network: whether the answer to that is the network's.
        local_networks: a validator on one's own machine has a network of its own making.
        account_page, transaction_page: what explorers have between their address and an account or a transaction.
        uri_scheme: of payment URIs.
        transaction_hash: how a transaction is named, in its usual spelling; None where none is shown.
    """

    title: str
    account_word: str
    picture: str
    address_fault: Callable[[str], AddressFault | None]
    ping: str
    features: frozenset[NamespaceFeature] = frozenset()
    default_account_type: AccountKind = "eoa"
    paired_account_type: AccountKind = "eoa"
    native_address: str = "0x"
    normal_address: Callable[[str], str] = _as_given
    comparable_address: Callable[[str], str] = _as_given
    ignores_case: bool = False
    claims_address: Callable[[str], bool] = _nothing
    is_burn_address: Callable[[str], bool] = _nothing
    address_checksums: frozenset[TextChecksum] = frozenset()
    network_question: str = ""
    is_network: Callable[[ChainId, str], bool] = lambda _chain, _told: False
    local_networks: bool = False
    account_page: str = "address"
    transaction_page: str = "tx"
    uri_scheme: str = ""
    transaction_hash: re.Pattern[str] | None = None
