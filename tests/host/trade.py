"""A visitor who has granted, and the server that spends, on a real chain."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from eth_account.signers.local import LocalAccount

from tests.granting import CHAIN, DAY, Chain, Visitor, spending_key, token_address, visitor
from tests.services.real_chains import ethereum as ethereum
from walletmodal.core.permissions.delegation import Delegation, encode_context
from walletmodal.core.permissions.permission import Permission
from walletmodal.host.nodes import Node
from walletmodal.host.permissions import GrantedPermission, Spender, SpendingRefusedError
from walletmodal.sandbox.anvil import AnvilNode

TEN = 10_000_000
SHOP = "0x016562aA41A8697720ce0943F003141f5dEAe006"


@dataclass
class Trade:
    """A visitor, and a server that may spend of what is theirs."""

    chain: Chain
    visitor: Visitor
    key: LocalAccount
    spender: Spender

    def permission(self, **changes: Any) -> Permission:
        """Ten USDC a day for three days."""
        now = self.chain.time
        ten = Permission("erc20-token-periodic", TEN, now, token_address(), period=DAY, until=now + 3 * DAY)
        return replace(ten, **changes)

    def granted(self, **changes: Any) -> GrantedPermission:
        permission = self.permission(**changes)
        answer = self.visitor.answer(self.spender.address, permission)
        return self.spender.read(answer, account=self.visitor.address, chain=CHAIN, token=permission.token)

    def with_context(self, *delegations: Delegation) -> GrantedPermission:
        """What a server that does not look has."""
        return GrantedPermission(CHAIN, self.visitor.address, self.permission(), encode_context(delegations))

    def refusal(self, granted: GrantedPermission, amount: int = 1, to: str = SHOP) -> str:
        with pytest.raises(SpendingRefusedError) as refused:
            self.spender.pay(granted, to, amount)
        return refused.value.reason


@pytest.fixture(scope="module")
def chain(ethereum: AnvilNode) -> Iterator[Chain]:
    chain = Chain(ethereum)
    yield chain
    chain.close()


@pytest.fixture
def trade(chain: Chain) -> Trade:
    key = spending_key(chain)
    spender = Spender(key.key.hex(), {CHAIN: chain.url}, clock=chain)
    return Trade(chain, visitor(chain), key, spender)


def before_sending(
    monkeypatch: pytest.MonkeyPatch, act: Callable[[], None], afterwards: Callable[[], object] = lambda: None
) -> None:
    """Has something happen right before the node gets a transaction, and behind it."""
    ask = Node.ask

    def asked(node: Node, method: str, params: Sequence[object] = ()) -> Any:
        if method != "eth_sendRawTransaction":
            return ask(node, method, params)
        act()
        sent = ask(node, method, params)
        afterwards()
        return sent

    monkeypatch.setattr(Node, "ask", asked)
