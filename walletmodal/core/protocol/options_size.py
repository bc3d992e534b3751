"""How much of a host's options one visitor's session keeps: pictures as data URLs are what makes them large."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from walletmodal.core.protocol.limits import text_bytes
from walletmodal.core.protocol.options import HostOptions

MAX_OPTIONS_BYTES: Final = 64 * 1024
"""Of all options together, pictures included."""
_MAX_NAMED: Final = 8


class _Picture(NamedTuple):
    size: int
    field: str
    key: str | int


def limit_options(options: HostOptions) -> tuple[HostOptions, str]:
    """Leaves out what is too much: the largest pictures first, then the largest options.

    Returns:
        What is kept, and a sentence for the host's console that names what is not; "" where all is kept.
    """
    excess = text_bytes(options) - MAX_OPTIONS_BYTES
    if excess <= 0:
        return options, ""
    dropped: dict[str, set[str | int]] = {}
    names: list[str] = []
    for size, field, key in sorted(_pictures(options), key=lambda one: one.size, reverse=True):
        if excess <= 0:
            break
        excess -= size
        dropped.setdefault(field, set()).add(key)
        names.append(_name(field, key))
    options = options.model_copy(update={field: _without(options, field, keys) for field, keys in dropped.items()})
    default = HostOptions()
    for field, value in sorted(options, key=lambda entry: text_bytes(entry[1]), reverse=True):
        if excess <= 0:
            break
        excess -= text_bytes(value)
        options = options.model_copy(update={field: getattr(default, field)})
        names.append(_on_wire(field))
    more = f" and {len(names) - _MAX_NAMED} more" if len(names) > _MAX_NAMED else ""
    return options, (
        f"The options are larger than {MAX_OPTIONS_BYTES // 1024} kB together: "
        f"{', '.join(names[:_MAX_NAMED])}{more} left out. Give pictures as https URLs."
    )


def _pictures(options: HostOptions) -> list[_Picture]:
    keyed: Mapping[str, Mapping[str, str]] = {
        "connector_images": options.connector_images,
        "chain_images": options.chain_images,
    }
    return [
        *(_Picture(text_bytes(url), field, key) for field, urls in keyed.items() for key, url in urls.items()),
        *(_Picture(text_bytes(url), "metadata", index) for index, url in enumerate(options.metadata.icons)),
        *(
            _Picture(text_bytes(wallet.image_url), "custom_wallets", index)
            for index, wallet in enumerate(options.custom_wallets)
            if wallet.image_url
        ),
    ]


def _without(options: HostOptions, field: str, keys: set[str | int]) -> object:
    """The field's value without the pictures of these keys."""
    if field == "metadata":
        icons = tuple(icon for index, icon in enumerate(options.metadata.icons) if index not in keys)
        return options.metadata.model_copy(update={"icons": icons})
    if field == "custom_wallets":
        return tuple(
            wallet.model_copy(update={"image_url": None}) if index in keys else wallet
            for index, wallet in enumerate(options.custom_wallets)
        )
    images: Mapping[str, str] = getattr(options, field)
    return {key: url for key, url in images.items() if key not in keys}


def _name(field: str, key: str | int) -> str:
    if field == "metadata":
        return f"metadata.icons[{key}]"
    if field == "custom_wallets":
        return f"customWallets[{key}].image_url"
    return f"{_on_wire(field)}.{str(key)[:64]}"


def _on_wire(field: str) -> str:
    return HostOptions.model_fields[field].alias or field
