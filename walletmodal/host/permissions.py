"""Spending within a permission that a visitor has granted (ERC-7715), from a host's own server.

    spender = Spender(os.environ["SPENDER_KEY"], {"eip155:8453": "https://node.example.com"})
    spender.address                      # the `to` of wallet_requestExecutionPermissions in your page
    granted = spender.read(response, account=visitor.address, chain="eip155:8453", token=USDC)  # as your page sent it
    spender.left(granted)                # base units that can be spent now
    spender.pay(granted, "0x…", 5_000_000)

What may be spent is held by the network's contracts, not by this program: whoever steals the key can spend what is left, and no more.
Needs `walletmodal[spending]`.
"""

import asyncio
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import SettingProblem, SettingsError, WalletModalError
from walletmodal.core.errors.permissions import PermissionUnreadableError
from walletmodal.core.permissions.delegation import ROOT, Delegation, decode_context
from walletmodal.core.permissions.framework import MANAGER, NONCE
from walletmodal.core.permissions.permission import Permission, nonce_of, read_caveats
from walletmodal.core.permissions.redemption import (
    Refusal,
    disabled_question,
    nonce_question,
    payment,
    read_refusal,
    read_usage,
    read_words,
    redeem_call,
    usage_question,
)
from walletmodal.core.smart_accounts.authorization import read_delegation
from walletmodal.core.smart_accounts.call_encoding import AccountCall
from walletmodal.core.smart_accounts.contracts import STATELESS_DELEGATOR
from walletmodal.host.eth_accounts import Account, LocalAccount, signer
from walletmodal.host.nodes import Node, NodeRefusalError, NodeUnreachableError
from walletmodal.host.spending_values import base_units, block_of, bytes_of, chain_id, moved, payee

RECEIPT_SECONDS: Final = 120.0
MAX_PAYMENTS: Final = 20
"""Of one transaction."""
_LATEST: Final = "latest"
_LOOKED_EVERY: Final = 0.5
MOST_GAS: Final = 2_000_000
"""Of one transaction: a permission's token is a contract of somebody else's."""
_MORE_GAS: Final = 5
"""An estimate has a fifth added: the contracts count in storage that others may change meanwhile."""


class SpendingRefusedError(WalletModalError):
    """The permission does not cover it. Nothing was sent, or what was sent had no effect.

    Attributes:
        reason: as the contract calls it, such as `ERC20PeriodTransferEnforcer:transfer-amount-exceeded`; "" where it gives none.
    """

    name = "SpendingRefusedError"

    def __init__(self, refusal: Refusal) -> None:
        self.reason = refusal.code
        super().__init__(refusal.text, details=refusal.code)


class SpendingUnknownError(WalletModalError):
    """A payment was sent, and nobody knows yet what became of it. Look for it before you send another.

    Attributes:
        hash: of its transaction.
    """

    name = "SpendingUnknownError"

    def __init__(self, sent: str) -> None:
        self.hash = sent
        super().__init__("The payment was sent, and is not confirmed yet", details=sent)


@dataclass(frozen=True, slots=True)
class GrantedPermission:
    """A permission that a visitor has granted to this server.

    Attributes:
        chain: CAIP-2.
        account: of the visitor, in its normal spelling.
        permission: what may be spent or called, as its caveats hold it: base units, Unix seconds.
        context: what it is redeemed with; worth nothing without the key.
    """

    chain: str
    account: str
    permission: Permission
    context: bytes

    @property
    def delegation(self) -> Delegation:
        """As the account has signed it."""
        (found,) = decode_context(self.context)
        return found


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment that the network has carried out.

    Attributes:
        hash: of its transaction.
        block: the number of the one that it is in.
        received: base units that the payees have got, as the token says; less than they were to get where it takes a fee. 0 of calls.
    """

    hash: str
    block: int
    received: int = 0


class Spender:
    """Spends within permissions, with one key. One object serves all threads of a process.

    Args:
        key: the private key, hexadecimal, of an account that has a little of each network's coin for gas.
        rpc_urls: of each network's node, by CAIP-2.
        max_gas_price: in wei; above it nothing is sent. None: whatever the network asks.
        clock: what permissions end by.

    Raises:
        SettingsError: a key, network or URL that cannot be used.
    """

    def __init__(
        self,
        key: str,
        rpc_urls: Mapping[str, str],
        *,
        max_gas_price: int | None = None,
        clock: Clock | None = None,
    ) -> None:
        try:
            self._account: LocalAccount = Account.from_key(key)
        except (ValueError, TypeError):
            # Without its cause, whose text could have the key in it.
            raise SettingsError([SettingProblem("key", "must be a private key", "0x" + "1" * 64)]) from None
        self._nodes = {chain_id(chain): Node(url) for chain, url in rpc_urls.items()}
        self._max_gas_price, self._clock = max_gas_price, clock or SystemClock()
        self._sending = threading.Lock()

    @property
    def address(self) -> str:
        """To whom permissions must be granted."""
        return str(self._account.address)

    def read(
        self, response: object, *, account: str, chain: str, token: str = "", contract: str = ""
    ) -> GrantedPermission:
        """Reads one entry of the answer to `wallet_requestExecutionPermissions`, as a page sent it; anything may come.

        What counts is the context: what else the answer says of itself is not believed, and contracts that it wants to have
        called first (`dependencies`) are not called. Amount and end are for you to compare with what you have asked for.

        Args:
            response: JSON.
            account: address of the visitor who is signed in. What others have granted to you stands in your own payments, for everybody to read and to bring.
            chain: the network, CAIP-2, that you have asked for.
            token: the contract that you have asked for, "" for the native coin.
            contract: of `contract-call`, whose functions you call; "" for the permissions that pay.

        Raises:
            PermissionUnreadableError: it is none, is another account's, or for another key, network, token or contract, or lets something else be done.
        """
        if not isinstance(response, Mapping):
            raise PermissionUnreadableError("no object")
        told, manager = response.get("chainId"), response.get("delegationManager")
        if told != hex(chain_id(chain)):
            raise PermissionUnreadableError("chainId")
        if not isinstance(manager, str) or manager.lower() != MANAGER.lower():
            raise PermissionUnreadableError("delegationManager")
        context = bytes_of(response.get("context"), "context")
        delegation, *others = decode_context(context)
        if delegation.authority != ROOT or others:
            raise PermissionUnreadableError("it was handed on by somebody else")
        if delegation.delegate != self.address:
            raise PermissionUnreadableError("it is for another key")
        if delegation.delegator.lower() != account.lower():
            raise PermissionUnreadableError("it is another account's")
        permission = read_caveats(delegation.caveats)
        if permission.token.lower() != token.lower():
            raise PermissionUnreadableError("it is for another token")
        if permission.contract.lower() != contract.lower():
            raise PermissionUnreadableError("it is for another contract")
        if signer(delegation.digest(chain_id(chain)), delegation.signature) != delegation.delegator:
            raise PermissionUnreadableError("the account has not signed it")
        return GrantedPermission(chain, delegation.delegator, permission, context)

    def left(self, granted: GrantedPermission) -> int:
        """Returns how many base units can be spent now: 0 where the permission has ended or was taken back.

        The account may have less than that. Of `contract-call` it is how many calls can be made.

        Raises:
            ValueError: the permission has no number of calls.
            NodeUnreachableError, NodeRefusalError: the network cannot be asked.
        """
        if granted.permission.contract and granted.permission.calls is None:
            raise ValueError("the permission does not count its calls")
        node, delegation, now = self._node(granted), granted.delegation, int(self._clock.now().timestamp())
        disabled = read_words(node.call(MANAGER, disabled_question(delegation)), 1)
        nonce = read_words(node.call(NONCE, nonce_question(delegation.delegator)), 1)
        if disabled != (0,) or nonce != (nonce_of(delegation.caveats),):
            return 0
        question = usage_question(delegation, granted.permission)
        usage = read_usage(granted.permission, node.call(granted.permission.enforcer, question), now)
        if usage is None:
            raise NodeUnreachableError("the amount that is left: no number")
        return usage.available

    def pay(self, granted: GrantedPermission, to: str, amount: int) -> Payment:
        """Pays out of the visitor's account, and waits until the network has done it.

        Args:
            granted: the permission.
            to: who is paid, an address.
            amount: base units of its token, or of the native coin.

        Raises:
            SpendingRefusedError: the permission does not cover it; its reason says why.
            SpendingUnknownError: it was sent, and is not confirmed after two minutes.
            NodeUnreachableError, NodeRefusalError: the network cannot be asked, or this server has no coin for gas.
        """
        return self.pay_many(granted, [(to, amount)])

    async def apay(self, granted: GrantedPermission, to: str, amount: int) -> Payment:
        """`pay` for async code."""
        return await asyncio.to_thread(self.pay, granted, to, amount)

    def pay_many(self, granted: GrantedPermission, payments: Sequence[tuple[str, int]]) -> Payment:
        """Makes several payments in one transaction: all of them, or none. As `pay`."""
        if not 0 < len(payments) <= MAX_PAYMENTS:
            raise ValueError(f"one to {MAX_PAYMENTS} payments at a time")
        calls = [payment(granted.permission, payee(to), base_units(amount)) for to, amount in payments]
        made, receipt = self._redeem(granted, calls)
        if not (token := granted.permission.token):
            return replace(made, received=sum(amount for _, amount in payments))
        got = [moved(receipt, token, granted.account, to) for to in {payee(to) for to, _ in payments}]
        if None in got:
            raise SpendingUnknownError(made.hash)
        if 0 in got:
            # Some tokens say that they have moved nothing, and do not take the transaction back.
            raise SpendingRefusedError(Refusal("", "The token has not moved."))
        return replace(made, received=sum(one or 0 for one in got))

    def call(self, granted: GrantedPermission, data: bytes, value: int = 0) -> Payment:
        """Has the account call the contract of a `contract-call` permission. As `pay`.

        Args:
            granted: the permission.
            data: the function's selector and its arguments.
            value: in wei, of the account's coins, that go along.
        """
        if not granted.permission.contract:
            raise ValueError("the permission is one to pay")
        return self.redeem(granted, [AccountCall(granted.permission.contract, value, data)])

    def redeem(self, granted: GrantedPermission, calls: Sequence[AccountCall]) -> Payment:
        """Has the account make calls, each as the permission's contracts allow it. As `pay`, but that what a call has answered is not looked at."""
        return self._redeem(granted, calls)[0]

    def _redeem(self, granted: GrantedPermission, calls: Sequence[AccountCall]) -> tuple[Payment, Mapping[str, Any]]:
        node = self._node(granted)
        data = redeem_call(granted.context, calls)
        with self._sending:
            _check_code(node, granted.account, _LATEST)
            # Tried first: what would be refused costs no gas then, and says why.
            call = {"from": self.address, "to": MANAGER, "data": "0x" + data.hex()}
            gas = self._tried(node, call)
            sent = self._send(node, granted, data, gas)
        return self._wait(node, granted.account, sent, call)

    def _tried(self, node: Node, call: Mapping[str, str]) -> int:
        """Returns the gas that a call takes.

        Raises:
            SpendingRefusedError: a contract refuses it.
        """
        try:
            gas = node.number("eth_estimateGas", [call])
        except NodeRefusalError as error:
            if not error.data and "revert" not in error.details.lower():
                raise
            raise SpendingRefusedError(read_refusal(error.data or self._reason(node, call))) from error
        if gas > MOST_GAS:
            raise SpendingRefusedError(Refusal("", "The contract uses too much gas."))
        return gas + gas // _MORE_GAS

    def _reason(self, node: Node, call: Mapping[str, str]) -> bytes:
        """What a call reverts with, from nodes that do not say it of an estimate."""
        try:
            node.ask("eth_call", [call, _LATEST])
        except NodeRefusalError as error:
            return error.data
        return b""

    def _send(self, node: Node, granted: GrantedPermission, data: bytes, gas: int) -> str:
        tip, block = node.number("eth_maxPriorityFeePerGas"), node.ask("eth_getBlockByNumber", [_LATEST, False])
        try:
            base = int(block["baseFeePerGas"], 16)
        except (TypeError, KeyError, ValueError) as error:
            raise NodeUnreachableError("the network has no price for gas (EIP-1559)") from error
        price = 2 * base + tip
        if self._max_gas_price is not None and base + tip > self._max_gas_price:
            raise NodeRefusalError(f"gas costs {base + tip} wei, more than this server pays")
        transaction: dict[str, Any] = {
            "chainId": chain_id(granted.chain),
            "nonce": node.number("eth_getTransactionCount", [self.address, "pending"]),
            "to": MANAGER,
            "data": data,
            "value": 0,
            "gas": gas,
            "maxFeePerGas": price if self._max_gas_price is None else min(price, self._max_gas_price),
            "maxPriorityFeePerGas": tip,
        }
        signed = self._account.sign_transaction(transaction)
        made = "0x" + bytes(signed.hash).hex()
        try:
            node.ask("eth_sendRawTransaction", ["0x" + bytes(signed.raw_transaction).hex()])
        except NodeUnreachableError as error:
            raise SpendingUnknownError(made) from error
        except NodeRefusalError:
            # Where several nodes are behind one URL, it may be the word of one that has it from another already.
            if not _has(node, made):
                raise
        # The hash is ours: a node could name that of another transaction.
        return made

    def _wait(self, node: Node, account: str, sent: str, call: Mapping[str, str]) -> tuple[Payment, Mapping[str, Any]]:
        ends = time.monotonic() + RECEIPT_SECONDS
        while True:
            try:
                receipt = node.ask("eth_getTransactionReceipt", [sent])
                block = block_of(receipt, sent)
                if block is not None and receipt["status"] == "0x1":
                    _check_run(node, account, sent, block)
                    return Payment(sent, block), receipt
            except (NodeUnreachableError, NodeRefusalError):
                block = None
            if block is not None:
                raise SpendingRefusedError(read_refusal(self._reason(node, call)))
            if time.monotonic() > ends:
                raise SpendingUnknownError(sent)
            time.sleep(_LOOKED_EVERY)

    def _node(self, granted: GrantedPermission) -> Node:
        node = self._nodes.get(chain_id(granted.chain))
        if node is None:
            raise SettingsError([SettingProblem("rpc_urls", f"has no {granted.chain}", "https://node.example.com")])
        return node


def _check_code(node: Node, account: str, block: str) -> None:
    """Checks that an account runs the code that carries permissions out.

    Its owner may put other code in its place, of which the manager believes that it has made the calls.

    Raises:
        SpendingRefusedError: it runs other code, or none.
    """
    code = node.data("eth_getCode", [account, block])
    if not code:
        raise SpendingRefusedError(Refusal("", "The account is no smart account on this network yet."))
    if read_delegation(code) != STATELESS_DELEGATOR:
        raise SpendingRefusedError(
            Refusal("", "The account runs other code than the one that carries permissions out.")
        )


def _check_run(node: Node, account: str, sent: str, block: int) -> None:
    """Checks that an account ran that code also while it was to make the calls of a transaction.

    Raises:
        SpendingRefusedError: it ran other code.
        SpendingUnknownError: nobody can say, since it may have had other code for a part of the block.
    """
    _check_code(node, account, hex(block))
    # Whoever changes the code of an account raises its nonce (EIP-7702).
    before, after = (node.number("eth_getTransactionCount", [account, hex(one)]) for one in (block - 1, block))
    if before != after:
        raise SpendingUnknownError(sent)


def _has(node: Node, sent: str) -> bool:
    """Whether the node knows a transaction that it has refused."""
    try:
        return isinstance(node.ask("eth_getTransactionByHash", [sent]), Mapping)
    except (NodeUnreachableError, NodeRefusalError) as error:
        raise SpendingUnknownError(sent) from error
