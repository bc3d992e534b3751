"""Reporting of the product's events to the analytics service, in the name of the host page."""

from __future__ import annotations

import reflex as rx

from walletmodal.core.analytics.payload import Event, event_body
from walletmodal.core.chains.caip import is_namespace
from walletmodal.core.text.texts import AlertKey
from walletmodal.deployment import deployment
from walletmodal.features.account.state import account
from walletmodal.features.embed.state import EmbedState
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.toasts.state import AlertState


class AnalyticsState(rx.State):
    """The refusal of the service that the developer was told of."""

    _refusal: AlertKey | None = None


async def report(state: rx.State, event: Event) -> None:
    """Reports an event, unless the host has switched analytics off; a refusal is an alert, once."""
    services = deployment().services
    if not services.analytics.configured:
        return
    embed = await state.get_state(EmbedState)
    if not embed._options.features.analytics:
        return
    caller = embed._caller()
    namespace = (await state.get_state(NetworksState)).active.partition(":")[0]
    address = (await account(state, namespace)).address if is_namespace(namespace) else ""
    services.analytics.report(caller, event_body(event, url=embed._url, clock=deployment().clock, address=address))
    told, refusal = await state.get_state(AnalyticsState), services.analytics.refusal(caller)
    if refusal is not None and refusal != told._refusal:
        await (await state.get_state(AlertState))._raise(refusal)
    if refusal != told._refusal:
        told._refusal = refusal
