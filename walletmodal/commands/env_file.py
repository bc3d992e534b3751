"""The file `.env`, which has keys and passwords in it."""

from pathlib import Path

from walletmodal.commands.project import PROJECT, say, shorten

ENV_FILE = PROJECT / ".env"


def keep_to_its_owner(file: Path = ENV_FILE) -> None:
    """Take from everybody else what they may do with the file, and say so; say it too where that is not ours to do."""
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return
    if not mode & 0o077:
        return
    try:
        file.chmod(mode & 0o700)
    except PermissionError:
        say(
            f"{shorten(file)} can be read by others on this machine; its owner can change that: chmod 600 {shorten(file)}"
        )
    else:
        say(f"{shorten(file)} could be read by others on this machine, and now cannot: it may hold keys and passwords")
