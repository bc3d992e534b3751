"""Assembles the app; nothing else."""

import asyncio
from collections.abc import Collection
from contextlib import suppress

import reflex as rx

import walletmodal.components.frame.frame  # noqa: F401 - the build mounts the pages with its modules
from walletmodal.components.bridge import HEAD_SCRIPT, wallet_bridge
from walletmodal.components.ticker import ticker
from walletmodal.config import settings
from walletmodal.deployment import deployment, hold_deployment, language_of_page
from walletmodal.features.account.state import ACCOUNTS
from walletmodal.features.bridge.state import BridgeState
from walletmodal.features.bridge.wiring import install
from walletmodal.features.embed.state import EmbedState, is_embedded
from walletmodal.features.embedded.state import EmbeddedState
from walletmodal.features.gallery.state import GalleryState
from walletmodal.features.gallery.views import gallery_page
from walletmodal.features.modal.frame import modal
from walletmodal.features.networks.state import NetworksState
from walletmodal.features.own_views.failures import on_failure
from walletmodal.features.pairing.state import PairingState
from walletmodal.features.requests.handlers import OVER_WEBSOCKET
from walletmodal.features.resume.hydration import restore_before_hydration
from walletmodal.features.resume.state import ResumeState
from walletmodal.features.shell.state import ShellState
from walletmodal.features.signin.state import SignInState
from walletmodal.features.transactions.state import PendingState
from walletmodal.gc import rare_collections
from walletmodal.logs import log_as_set
from walletmodal.reflex_internals.event_names import events_of_pages, never_reload_pages
from walletmodal.reflex_internals.hydration import BeforeHydration
from walletmodal.reflex_internals.mode import is_development
from walletmodal.reflex_internals.returning_pages import Returns
from walletmodal.reflex_internals.session_moves import RELEASE_SECONDS
from walletmodal.reflex_internals.spoken import speak
from walletmodal.reflex_internals.store_reads import read_of_store
from walletmodal.reflex_internals.theme_assets import own_rules
from walletmodal.reflex_internals.traces import trace_as_set
from walletmodal.server_report import report_server
from walletmodal.services.failures import report_page_failure
from walletmodal.ui import STYLESHEETS
from walletmodal.web import api_transformers, drain_events, end_while_starting, share_scripts, worker_drain, working_ids
from walletmodal.web.cors import ModalApp
from walletmodal.web.loop_watch import watch_loop
from walletmodal.wiring import WIRING

install(WIRING)
speak(language_of_page, english=[BridgeState])

never_reload_pages()


def index() -> rx.Component:
    """The one page: the modal."""
    return rx.el.main(
        wallet_bridge(
            sync=BridgeState.sync,
            page=BridgeState.page,
            host_state=read_of_store(
                {
                    "sync": BridgeState.sync,
                    "page": BridgeState.page,
                    # Put together in the browser: the parts are sent anyway.
                    "place": {
                        "open": ShellState.open,
                        "view": ShellState.view,
                        "loading": ShellState.open & ~ShellState.connected,
                        "initialized": ShellState.initialized,
                    },
                    "network": NetworksState.public,
                    "accounts": {namespace: held.public for namespace, held in ACCOUNTS.items()},
                }
            ),
            commands=BridgeState.commands,
            heard=BridgeState.heard,
            news=BridgeState.news,
            over_websocket=OVER_WEBSOCKET,
            theme_changes=EmbedState.theme_changes,
            pairing=PairingState.config,
            secure=EmbeddedState.secure,
            confirming=EmbeddedState.confirming,
            identify=SignInState.identify,
            on_init=BridgeState.on_init,
            on_snapshot=BridgeState.on_snapshot,
            on_reply=BridgeState.on_reply,
            on_call=BridgeState.on_call,
            on_call_online=BridgeState.on_call.temporal,  # type: ignore[attr-defined]  # an EventHandler at run time
            on_request=BridgeState.on_request,
            on_request_online=BridgeState.on_request.temporal,  # type: ignore[attr-defined]  # an EventHandler at run time
            on_browser=SignInState.redeem,
        ),
        ticker(
            every=PendingState.every,
            active=(PendingState.every > 0) & (ShellState.open | EmbedState.embedded | PendingState.awaits),
            about="",
            on_tick=PendingState.poll,
        ),
        modal(refuse_close=ShellState.refuse_close),
        *own_rules(),
    )


async def forget_session(token: str, *, unless_known: bool) -> bool:
    """Asks the app below."""
    return await app.forget_session(token, unless=is_embedded if unless_known else None)


async def release_session(token: str) -> None:
    """Asks the app below, once another server can go on from what this one knows; a database that hangs is not waited for."""
    with suppress(TimeoutError):
        async with asyncio.timeout(RELEASE_SECONDS):
            await deployment().resume.write_pending()
    await app.release_session(token)


async def still_moving(moved: Collection[str]) -> set[str]:
    """Asks the app below."""
    return await app.still_moving(moved)


drain = worker_drain(settings(), still_moving)
app: ModalApp = ModalApp(
    toaster=None,
    stylesheets=STYLESHEETS,
    head_components=[rx.el.script(HEAD_SCRIPT), rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml")],
    api_transformer=api_transformers(
        settings(),
        forget=forget_session,
        release=release_session,
        drain=drain,
        events=events_of_pages(),
        introduces=frozenset({f"{BridgeState.get_full_name()}.on_init"}),
    ),
    backend_exception_handler=on_failure,
    frontend_exception_handler=report_page_failure,
)
app.add_middleware(BeforeHydration(restore_before_hydration))
app.know_returns(
    Returns(
        "/",
        seen=(ResumeState, "seen"),
        kept=[(ResumeState, "resume_id")],
        shared=[(PendingState, "browser_id")],
        back=(BridgeState, "sync"),
    )
)
if not is_development():
    app.register_lifespan_task(end_while_starting)
app.register_lifespan_task(log_as_set(settings(), ids=working_ids))
app.register_lifespan_task(trace_as_set(settings().otlp_url))
app.register_lifespan_task(hold_deployment)
app.register_lifespan_task(report_server)
app.register_lifespan_task(share_scripts(settings()))
app.register_lifespan_task(drain_events)
app.register_lifespan_task(rare_collections)
app.register_lifespan_task(watch_loop)
if not is_development():
    app.register_lifespan_task(drain.on_signals)
app.add_page(index, route="/", title="Wallet", on_load=[ResumeState.restore, BridgeState.on_connect])
app.add_page(gallery_page, route="/gallery", title="Gallery", on_load=GalleryState.show)
