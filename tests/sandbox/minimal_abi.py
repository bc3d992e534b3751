"""ABIs from one line per function, for clients that want them in JSON."""

import re
from typing import Any

_LINE = re.compile(r"^(?P<name>\w+)\((?P<inputs>.*)\) (?P<mutability>\w+) returns \((?P<outputs>.*)\)$")


def abi(*functions: str) -> list[dict[str, Any]]:
    """The ABI of functions written as `name(types) mutability returns (types)`."""
    return [_function(line) for line in functions]


def _function(line: str) -> dict[str, Any]:
    match = _LINE.match(line.replace(" view ", " view ", 1))
    if match is None:
        raise ValueError(line)
    return {
        "type": "function",
        "name": match["name"],
        "stateMutability": match["mutability"],
        "inputs": _parameters(match["inputs"]),
        "outputs": _parameters(match["outputs"]),
    }


def _parameters(types: str) -> list[dict[str, Any]]:
    return [_parameter(one, number) for number, one in enumerate(_split(types))]


def _parameter(text: str, number: int) -> dict[str, Any]:
    if not text.startswith("("):
        return {"name": f"p{number}", "type": text}
    inner, _, suffix = text[1:].rpartition(")")
    return {"name": f"p{number}", "type": f"tuple{suffix}", "components": _parameters(inner)}


def _split(types: str) -> list[str]:
    parts, depth = [""], 0
    for sign in types:
        depth += (sign == "(") - (sign == ")")
        if sign == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += sign
    return [part for part in parts if part]
