"""Simulation of a batch (EIP-5792 `wallet_sendCalls`): its calls one after the other, as the account makes them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from walletmodal.core.chains.addresses import normal_address
from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import RpcRequestError, ShapeError
from walletmodal.core.language import _
from walletmodal.core.swaps.calls import ContractCall
from walletmodal.core.transfers.simulation import NOT_SIMULATED, Simulation, failure_words, told
from walletmodal.services.chains.adapter import TransportOf
from walletmodal.services.chains.eip155.account_calls import EvmAccountCalls
from walletmodal.services.chains.eip155.simulated_calls import refusal_of


async def simulate_batch(transport: TransportOf, chain: ChainId, params: object, sender: str) -> Simulation:
    """Simulates what a batch does to its account; the first call that fails is named by its place.

    Args:
        transport: gives the way to a network's nodes.
        chain: the network.
        params: those of `wallet_sendCalls`.
        sender: the account.

    Raises:
        AddressError: an address is none.
        ShapeError: there are no calls.
        MalformedResponseError: the node's answer cannot be understood.
        TransportError: the node cannot be asked.
    """
    calls = _calls(params)
    try:
        run = await EvmAccountCalls(transport).simulate(chain, normal_address("eip155", sender), calls, ())
    except RpcRequestError as error:
        refusal = refusal_of(error)
        return NOT_SIMULATED if refusal is None else Simulation(ran=True, failure=failure_words(refusal))
    if run.status == "failed":
        return Simulation(
            ran=True,
            failure=_(
                "Call {number} of {count}: {failure}", number=run.failed_call + 1, count=len(calls), failure=run.failure
            ),
        )
    return replace(told(run.changes, run.changes), gas=sum(run.gas))


def _calls(params: object) -> tuple[ContractCall, ...]:
    batch = params[0] if isinstance(params, Sequence) and params else None
    given: Any = batch.get("calls") if isinstance(batch, Mapping) else None
    if not isinstance(given, Sequence) or not given or not all(isinstance(one, Mapping) for one in given):
        raise ShapeError("params: must be a list with calls")
    return tuple(
        ContractCall(normal_address("eip155", one["to"]), one.get("data", "0x"), int(one.get("value", "0x0"), 16))
        for one in given
    )
