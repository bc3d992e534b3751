"""Embedding host page and its options."""

from __future__ import annotations

import secrets
from typing import Any
from urllib.parse import urlsplit

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.protocol.messages import Init, System
from walletmodal.core.protocol.missing_features import missing_features
from walletmodal.core.protocol.options import THEME_OPTIONS, HostOptions, ReadOptions, read_options
from walletmodal.core.protocol.options_size import limit_options
from walletmodal.deployment import deployment
from walletmodal.reflex_internals.event_context import current_event
from walletmodal.reflex_internals.lost_sessions import LostSessionError, UnreadableStateError
from walletmodal.reflex_internals.session_end import Manager, state_as_kept
from walletmodal.services.http import Caller
from walletmodal.services.outside_budget import Asker


def event_client() -> Asker | None:
    """Returns session and client address of the event being handled."""
    event = current_event()
    return Asker(event.token, event.address) if event is not None and event.id else None


async def is_embedded(manager: Manager, token: str) -> bool:
    """Whether the page of a session has said who its host is, and that may embed the modal."""
    try:
        return (await state_as_kept(manager, token, EmbedState))._ready
    except LostSessionError as error:
        # What is another release's is not this one's to judge.
        return not isinstance(error, UnreadableStateError)


class EmbedState(rx.State):
    """The host page and its options, as far as the deployment lets an embed decide."""

    embedded: bool = False
    network_switch: bool = True
    theme_changes: list[str] = list(THEME_OPTIONS)

    _ready: bool = False
    # Of this session, and never told.
    _life: str = ""
    _mobile: bool = False
    _system: System = ""
    _telegram: bool = False
    _standalone: bool = False
    _origin: str = ""
    _url: str = ""
    _title: str = ""
    _description: str = ""
    _icon: str = ""
    _host_name: str = ""
    _host_icon: str = ""
    _options: HostOptions = HostOptions()

    def _apply_init(self, init: Init) -> tuple[str, ...]:
        """Applies what the host said, if its origin may embed; returns warnings for the host's console."""
        own, host = settings(), init.host
        self._ready = own.may_embed(host.origin)
        if not self._ready:
            return ()
        self._life = self._life or secrets.token_hex(8)
        self._origin, self._url, self._title, self._icon = host.origin, host.url, host.title, host.icon
        self._mobile, self._system, self._standalone = host.mobile, host.system, host.standalone
        self._telegram, self._description = host.telegram, host.description
        allowed = own.changeable_options
        self.theme_changes = [name for name in THEME_OPTIONS if name in allowed]
        # The loader passes the theme on apart from the other options; what is said of it follows the same rules.
        theme = {"themeMode": init.theme.mode, "themeVariables": init.theme.variables or None}
        return (*self._set_options(read_options({**init.options, **theme}, allowed=allowed)), *self._missing_features())

    def _update_options(self, raw: dict[str, object]) -> tuple[str, ...]:
        """Applies options changed while running (`updateOptions`, `updateFeatures`)."""
        # A copy: what state hands out is Reflex's proxy, whose type is not the model's.
        known = self._missing_features()
        warnings = self._set_options(
            read_options(raw, base=self._options.model_copy(), allowed=settings().changeable_options)
        )
        return (*warnings, *(sentence for sentence in self._missing_features() if sentence not in known))

    def _shown_address(self) -> str:
        """Returns what the visitor can know the host by. Its name is of its own choice, "you" for one."""
        return urlsplit(self._origin).netloc

    def _missing_features(self) -> tuple[str, ...]:
        """Lists what the host asks for and does not get."""
        return missing_features(self._options, settings().is_set)

    def _set_options(self, read: ReadOptions) -> tuple[str, ...]:
        options, too_large = limit_options(read.options)
        self._options = options
        self.network_switch = options.enable_network_switch
        self.embedded = self._standalone or options.enable_embedded
        self._host_name = options.metadata.name or self._title
        self._host_icon = next(iter(options.metadata.icons), self._icon)
        return (*read.warnings, too_large) if too_large else read.warnings

    def _caller(self) -> Caller:
        """Returns the caller in whose name services are asked: the host page, not the modal."""
        return deployment().services.caller(self._origin, self._options.project_id)

    def _initialize_properties(self) -> dict[str, Any]:
        """Returns the set options for the event INITIALIZE: without adapters, and without pictures, which may be large data URLs."""
        options: HostOptions = self.get_value("_options")
        return options.model_dump(
            mode="json",
            by_alias=True,
            exclude_unset=True,
            exclude={
                "adapters": True,
                "connector_images": True,
                "chain_images": True,
                "metadata": {"icons"},
                "custom_wallets": {"__all__": {"image_url"}},
            },
        )
