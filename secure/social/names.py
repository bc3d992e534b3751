"""The name in Apple's form, which comes with the first login alone, and is as true as whoever sends it: shown, and nothing else."""

from walletmodal.core.parsing.strict_json import read_json


def told_name(user: str) -> str:
    """The name of the field `user`, "" where there is none."""
    try:
        said = read_json(user.encode())
    except ValueError:
        return ""
    name = said.get("name") if isinstance(said, dict) else None
    if not isinstance(name, dict):
        return ""
    parts = (name.get("firstName"), name.get("lastName"))
    return " ".join(part for part in parts if isinstance(part, str))
