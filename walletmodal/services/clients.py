"""The clients of the outside services that one process holds: made together, for they share connections and caches."""

from dataclasses import dataclass

import httpx

from walletmodal.core.chains.caip import Namespace
from walletmodal.core.clock import Clock
from walletmodal.core.constants import NAME_ZONE
from walletmodal.core.errors.services import Service
from walletmodal.core.text.texts import AlertKey
from walletmodal.services.analytics import AnalyticsReporter
from walletmodal.services.blockchain import BlockchainClient
from walletmodal.services.cache import Cache
from walletmodal.services.directory import DirectoryClient
from walletmodal.services.http import Caller, HttpService, sdk_version
from walletmodal.services.images import ImageReferences, Images, RemoteImages, reference_key
from walletmodal.services.lookups import Lookups
from walletmodal.services.outside_budget import OutsideBudget


@dataclass(frozen=True, slots=True)
class ServiceSettings:
    """What the clients need to know of a deployment.

    Attributes:
        own_origin: of the modal; pictures, which are the same for all embeds, are asked for in its name.
        project_id: of the deployment, or "".
        namespaces: those of the deployment's networks; part of `sv`.
        directory_url, blockchain_url, analytics_url: base URLs, `public` resolved; None: not configured.
        name_zone: where names are registered.
        public: whether one of them is the public service, which insists on a project id.
        image_secret: signs references to pictures; the same in each worker, at least 24 characters. None: each process has its own.
        loopback_images: whether pictures may come from this machine, as the sandbox's do.
    """

    own_origin: str
    project_id: str = ""
    namespaces: tuple[Namespace, ...] = ()
    directory_url: str | None = None
    blockchain_url: str | None = None
    analytics_url: str | None = None
    name_zone: str = NAME_ZONE
    public: bool = False
    image_secret: str | None = None
    loopback_images: bool = False


class ServiceClients:
    """The clients.

    Args:
        settings: of the deployment.
        client: the pooled HTTP client of the process; not closed here.
        cache: where lookups are kept; not closed here.
        pictures: where pictures are kept for all processes, see `Images`; not closed here.
        clock: what the time of pictures and of remembered wallets is measured with.
        budget: how often visitors may have directory and blockchain service asked.

    Attributes:
        directory, blockchain, analytics, images: one client per service.
    """

    def __init__(
        self,
        settings: ServiceSettings,
        client: httpx.AsyncClient,
        cache: Cache,
        *,
        pictures: Cache | None = None,
        clock: Clock | None = None,
        budget: OutsideBudget | None = None,
    ) -> None:
        self._settings, self._lookups = settings, Lookups(cache)
        sdk = sdk_version(settings.namespaces)

        def way(service: Service, base: str | None) -> HttpService:
            return HttpService(client, service, base, sdk=sdk, may_ask=counted)

        counted = (budget or OutsideBudget(clock)).may_ask_service
        directory = way("directory", settings.directory_url)
        self.directory = DirectoryClient(directory, self._lookups, clock=clock)
        blockchain = way("blockchain", settings.blockchain_url)
        self.blockchain = BlockchainClient(blockchain, self._lookups, name_zone=settings.name_zone)
        reports = HttpService(client, "analytics", settings.analytics_url, sdk=sdk)
        self.analytics = AnalyticsReporter(reports, allowed=self._wants_events)
        self.images = Images(
            directory,
            self.caller(settings.own_origin),
            RemoteImages(allow_loopback=settings.loopback_images),
            references=ImageReferences(reference_key(settings.image_secret)),
            cache=pictures,
            clock=clock,
        )

    def caller(self, origin: str, project_id: str = "") -> Caller:
        """The embed on a host page.

        Args:
            origin: of the host page, as a browser spells it.
            project_id: the embed's own, where the deployment lets it have one; "" means the deployment's.

        Raises:
            ProtocolError: the origin is none, or the project id has another form.
        """
        return Caller(origin, project_id or self._settings.project_id)

    def alert_at_start(self, caller: Caller) -> AlertKey | None:
        """`PROJECT_ID_NOT_CONFIGURED` when a public service is asked in the name of no project, else None."""
        return "PROJECT_ID_NOT_CONFIGURED" if self._settings.public and not caller.project_id else None

    async def _wants_events(self, caller: Caller) -> bool:
        """The project's own word, where there is a directory to ask; else the host's flag alone decides."""
        return not self.directory.configured or await self.directory.analytics_enabled(caller)

    async def close(self) -> None:
        """Send the last events, give up what is being asked, close the connections to pictures."""
        await self.analytics.close()
        await self._lookups.close()
        await self.images.close()
