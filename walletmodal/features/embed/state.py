"""Who embeds the modal, and with which options."""

from __future__ import annotations

import reflex as rx

from walletmodal.config import settings
from walletmodal.core.options import HostOptions, read_options
from walletmodal.core.protocol import Init


class EmbedState(rx.State):
    """The host page and its options, as far as the deployment lets an embed decide."""

    ready: bool = False
    embedded: bool = False
    host_name: str = ""
    host_icon: str = ""
    network_switch: bool = True

    _mobile: bool = False
    _origin: str = ""
    _url: str = ""
    _options: HostOptions = HostOptions()

    def _adopt(self, init: Init) -> tuple[str, ...]:
        """Takes over what the host said, if its origin may embed; returns warnings for the host's console."""
        deployment = settings()
        self.ready = deployment.may_embed(init.host.origin)
        if not self.ready:
            return ()
        read = read_options(init.options, allowed=deployment.changeable_options)
        self._options = read.options
        self.network_switch = read.options.enable_network_switch
        self._origin, self._url = init.host.origin, init.host.url
        self._mobile = init.host.mobile
        self.embedded = init.host.standalone or read.options.enable_embedded
        self.host_name = read.options.metadata.name or init.host.title
        self.host_icon = next(iter(read.options.metadata.icons), init.host.icon)
        return read.warnings

    def _change(self, raw: dict[str, object]) -> tuple[str, ...]:
        """Options changed while running (`updateOptions`, `updateFeatures`)."""
        read = read_options(raw, base=self._options, allowed=settings().changeable_options)
        self._options = read.options
        self.network_switch = read.options.enable_network_switch
        return read.warnings
