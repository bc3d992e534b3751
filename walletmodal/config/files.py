"""Settings whose values lie in files: `SECRET_KEY_FILE=/run/secrets/secret_key` gives SECRET_KEY."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast

from pydantic.fields import FieldInfo
from pydantic_settings import (
    BaseSettings,
    EnvSettingsSource,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
)

from walletmodal.core.errors import SettingProblem, SettingsError

SUFFIX: Final = "_FILE"
_MOST_BYTES: Final = 64 * 1024


FROM_ENVIRONMENT: Final = SettingsConfigDict(
    env_file=".env",
    env_file_encoding="utf-8",
    env_ignore_empty=True,
    extra="ignore",
    frozen=True,
    hide_input_in_errors=True,
)
"""Settings of the environment, then of `.env` for what is not set there."""


class InFiles:
    """Settings, each of which may lie in a file that is named as the setting with `_FILE` behind it. Stands before BaseSettings."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,  # noqa: ARG003 - a folder for all of them, which we do not have
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """As pydantic-settings: where values come from, the first wins."""
        own = (cast("EnvSettingsSource", source) for source in (env_settings, dotenv_settings))
        return (init_settings, *(each for source in own for each in (FilesSource(settings_cls, source), source)))


class FilesSource(PydanticBaseSettingsSource):
    """The values of settings that a source names files for.

    Args:
        settings_cls: whose settings.
        source: the environment, or `.env`.
    """

    def __init__(self, settings_cls: type[BaseSettings], source: EnvSettingsSource) -> None:
        super().__init__(settings_cls)
        self._given: Mapping[str, str | None] = source.env_vars

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:  # noqa: ARG002 - the base's signature
        """The text of the file that is named for a setting, or None."""
        name = f"{field_name.upper()}{SUFFIX}"
        file = None if name.lower() in self.settings_cls.model_fields else self._given.get(name.lower())
        if not file:
            return None, field_name, False
        if self._given.get(field_name):
            raise _wrong(name, f"{field_name.upper()} is set too: one of them alone")
        return _read(name, Path(file)), field_name, False

    def __call__(self) -> dict[str, Any]:
        """All of them.

        Raises:
            SettingsError: files cannot be used.
        """
        found: dict[str, str] = {}
        problems: list[SettingProblem] = []
        for field_name, field in self.settings_cls.model_fields.items():
            # What a source before these two has needs no file.
            if field_name in self.current_state:
                continue
            try:
                value = self.get_field_value(field, field_name)[0]
            except SettingsError as error:
                problems += error.problems
            else:
                if value is not None:
                    found[field_name] = value
        if problems:
            raise SettingsError(problems)
        return found


def _read(name: str, file: Path) -> str:
    # A secret that was put in the place of a path must not be in the log.
    shown = str(file) if file.is_absolute() else "the file"
    try:
        with file.open("rb") as opened:
            text = opened.read(_MOST_BYTES + 1).decode()
    except OSError as error:
        raise _wrong(name, f"{shown} cannot be read ({error.strerror})") from None
    except ValueError:
        raise _wrong(name, f"{shown} is no text in UTF-8") from None
    value = text.rstrip("\r\n")
    if not value.strip() or len(text) > _MOST_BYTES:
        raise _wrong(name, f"{shown} is {'too large' if text.strip() else 'empty'}")
    return value


def _wrong(name: str, text: str) -> SettingsError:
    return SettingsError([SettingProblem(name, text, f"/run/secrets/{name.removesuffix(SUFFIX).lower()}")])
