"""The pictures of the modal: of the wallet directory by kind and id, and of other servers by signed reference."""

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal

from walletmodal.core.clock import Clock, SystemClock
from walletmodal.core.errors import RequestTimeoutError, ResponseTooLargeError
from walletmodal.core.errors.services import ServiceError
from walletmodal.services.cache import Cache
from walletmodal.services.http import Caller, HttpService, path_segment
from walletmodal.services.images.errors import ImageError, ImageRefusal
from walletmodal.services.images.formats import image_type
from walletmodal.services.images.references import ImageReferences, reference_key
from walletmodal.services.images.remote import RemoteImages
from walletmodal.services.images.shared import SharedImages
from walletmodal.services.images.store import Image, ImageMemory, image
from walletmodal.services.retry_gap import RetryGap
from walletmodal.services.single_flight import SingleFlight

DirectoryKind = Literal["wallet", "network", "connector", "currency", "token"]

DIRECTORY_TTL: Final = 24 * 3600.0
REMOTE_TTL: Final = 3600.0
FAILURE_SECONDS: Final = 30.0
MAX_DIRECTORY_BYTES: Final = 1024 * 1024
_PATH: Final = "/images"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the directory has the pictures of a kind, and the form of their ids."""

    path: str
    id_form: re.Pattern[str]


_IMAGE_ID: Final = re.compile(r"[A-Za-z0-9-]{1,64}")
_PLACES: Final[dict[str, _Place]] = {
    "wallet": _Place("/getWalletImage/", _IMAGE_ID),
    "network": _Place("/public/getAssetImage/", _IMAGE_ID),
    "connector": _Place("/public/getAssetImage/", _IMAGE_ID),
    "currency": _Place("/public/getCurrencyImage/", re.compile(r"[A-Za-z]{3,5}")),
    "token": _Place("/public/getTokenImage/", re.compile(r"[A-Za-z0-9$₮+_-][A-Za-z0-9$₮+._-]{0,31}")),
}
DIRECTORY_KINDS: Final = tuple(_PLACES)


class Images:
    """Fetches each picture once for all visitors.

    Args:
        directory: the wallet directory.
        caller: whom the directory is asked for: pictures are the same for all embeds, so it is the deployment itself.
        remote: fetches from other servers.
        references: signs what may be fetched there; by default valid in this process only.
        memory: where pictures are kept; of this process.
        cache: where those of the directory are kept for all processes; closed by its owner. None: each process asks for itself.
        clock: what their time is measured with.
    """

    def __init__(
        self,
        directory: HttpService,
        caller: Caller,
        remote: RemoteImages,
        *,
        references: ImageReferences | None = None,
        memory: ImageMemory | None = None,
        cache: Cache | None = None,
        clock: Clock | None = None,
    ) -> None:
        self._directory, self._caller, self._remote = directory, caller, remote
        self._references = references or ImageReferences(reference_key())
        self._memory = memory or ImageMemory(clock)
        self._shared = None if cache is None else SharedImages(cache, directory.base, DIRECTORY_TTL)
        self._gap: RetryGap[ImageError] = RetryGap(FAILURE_SECONDS, clock or SystemClock())
        self._flights: SingleFlight[Image] = SingleFlight()

    def directory_path(self, kind: DirectoryKind, image_id: str) -> str:
        """Where our server has a picture of the directory, such as `/images/wallet/0d3e…`; "" without a directory or for what is no id."""
        place = _PLACES[kind]
        if not self._directory.configured or not place.id_form.fullmatch(image_id):
            return ""
        return f"{_PATH}/{kind}/{path_segment(image_id)}"

    def remote_path(self, url: str) -> str:
        """Where our server has a picture that a service named by URL; "" when the URL is not one that is fetched."""
        return f"{_PATH}/remote/{self._references.sign(url)}" if self._remote.may_ask(url) else ""

    async def from_directory(self, kind: str, image_id: str) -> Image:
        """A picture of the directory.

        Args:
            kind: a `DirectoryKind`.
            image_id: image id of a wallet, network or connector; code of a currency; symbol of a token.

        Raises:
            ImageError: no such kind or no such form of an id (`reference`), or it could not be had.
            NotConfiguredError: there is no directory.
        """
        place = _PLACES.get(kind)
        if place is None or not place.id_form.fullmatch(image_id):
            raise ImageError("reference", "no picture of the directory")
        path = f"{place.path}{path_segment(image_id)}"

        async def ask() -> bytes:
            if self._shared is not None and (known := await self._shared.get(path)) is not None:
                return known
            received = await self._directory.get(self._caller, path, max_bytes=MAX_DIRECTORY_BYTES)
            if self._shared is not None and image_type(received.body) is not None:
                await self._shared.put(path, received.body)
            return received.body

        return await self._get(path, DIRECTORY_TTL, ask)

    async def from_reference(self, reference: str) -> Image:
        """A picture of another server; after a failure that server is left alone for 30 s.

        Raises:
            ImageError: the reference is not ours (`reference`), or the picture could not be had.
        """
        url = self._references.read(reference)
        return await self.found(url, lambda: self._remote.fetch(url))

    async def found(self, key: str, fetch: Callable[[], Awaitable[bytes]]) -> Image:
        """A picture that is found in another way; after a failure that is left alone for 30 s.

        Args:
            key: what tells it from others.
            fetch: its bytes, whatever they are; raises `ImageError`.

        Raises:
            ImageError: it could not be had, or is no picture.
        """
        self._gap.raise_recent(key)
        try:
            return await self._get(key, REMOTE_TTL, fetch)
        except ImageError as error:
            self._gap.failed(key, error)
            raise

    async def remote(self, url: str) -> bytes:
        """The bytes behind a URL, by the rules of pictures of other servers.

        Raises:
            ImageError: it is not fetched, or could not be.
        """
        return await self._remote.fetch(url)

    async def document(self, url: str, *, limit: int, seconds: float) -> bytes:
        """What describes a picture, by the same rules; after a failure that server is left alone for 30 s.

        Args:
            url: where it is.
            limit: how many bytes it may have.
            seconds: how long it may take.

        Raises:
            ImageError: it is not fetched, or could not be.
        """
        self._gap.raise_recent(url)
        try:
            async with asyncio.timeout(seconds):
                content = await self._remote.fetch(url)
        except TimeoutError as error:
            late = ImageError("timeout")
            self._gap.failed(url, late)
            raise late from error
        except ImageError as error:
            self._gap.failed(url, error)
            raise
        if len(content) > limit:
            large = ImageError("size", f"more than {limit} bytes")
            self._gap.failed(url, large)
            raise large
        return content

    async def close(self) -> None:
        """Give up what is being fetched and close the connections."""
        await self._flights.close()
        await self._remote.close()

    async def _get(self, key: str, ttl: float, ask: Callable[[], Awaitable[bytes]]) -> Image:
        kept = self._memory.get(key)
        return kept if kept is not None else await self._flights.join(key, lambda: self._fetch(key, ttl, ask))

    async def _fetch(self, key: str, ttl: float, ask: Callable[[], Awaitable[bytes]]) -> Image:
        try:
            content = await ask()
        except ServiceError as error:
            raise ImageError(_refusal(error), error.details) from error
        media_type = image_type(content)
        if media_type is None:
            raise ImageError("type", "not an image")
        picture = image(content, media_type)
        self._memory.put(key, picture, ttl)
        return picture


def _refusal(error: ServiceError) -> ImageRefusal:
    if error.status is not None:
        return "status"
    if isinstance(error.__cause__, RequestTimeoutError):
        return "timeout"
    return "size" if isinstance(error.__cause__, ResponseTooLargeError) else "unreachable"
