"""Reading the KEK: from the settings, from a file, or from a program that asks a key service for it."""

import shlex
import subprocess
from pathlib import Path
from typing import Final

from walletmodal.secure.custody.envelope import KEY_BYTES, KeyRing
from walletmodal.secure.encoding import decode
from walletmodal.secure.errors import StartError

_COMMAND_SECONDS: Final = 30
_HOW: Final = "version:key pairs with commas, 1:<32 bytes in base64url>; `python -m walletmodal.secure key` makes one"


def parse_keys(text: str, source: str) -> KeyRing:
    """The keys of a text such as `1:abc…,2:def…`.

    Args:
        text: what the source holds.
        source: the setting that named it, for the error.

    Raises:
        StartError: it is not of that form.
    """
    keys: dict[int, bytes] = {}
    for part in filter(None, (piece.strip() for piece in text.strip().split(","))):
        version, _, key = part.partition(":")
        try:
            number, value = int(version), decode(key.strip(), KEY_BYTES)
        except ValueError:
            raise StartError(f"{source} must be {_HOW}") from None
        if not 1 <= number <= 255 or number in keys:
            raise StartError(f"{source}: each key needs a version of its own from 1 to 255")
        keys[number] = value
    if not keys:
        raise StartError(f"{source} must be {_HOW}")
    return KeyRing(list(keys.items()))


def read_key_file(file: Path) -> str:
    """The text of EMBEDDED_KEK_FILE.

    Raises:
        StartError: it cannot be read.
    """
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StartError(f"EMBEDDED_KEK_FILE cannot be read: {type(error).__name__}") from error


def ask_key_command(command: str) -> str:
    """What EMBEDDED_KEK_COMMAND prints. Nothing of it goes into an error: it is the key.

    Raises:
        StartError: it cannot be started, fails, or takes longer than 30 s.
    """
    try:
        done = subprocess.run(
            shlex.split(command), check=True, stdin=subprocess.DEVNULL, capture_output=True, timeout=_COMMAND_SECONDS
        )
        return done.stdout.decode("ascii")
    except (OSError, subprocess.SubprocessError, ValueError) as error:
        raise StartError(f"EMBEDDED_KEK_COMMAND gave no key: {type(error).__name__}") from None
