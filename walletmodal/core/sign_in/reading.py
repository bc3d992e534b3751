"""The text of a sign-in, read back: only the one spelling that `sign_in_text` gives is taken."""

from typing import Final

from walletmodal.core.chains.caip import ChainId
from walletmodal.core.errors import ShapeError
from walletmodal.core.namespaces.registry import DESCRIPTORS
from walletmodal.core.sign_in.message import (
    MAX_RESOURCES,
    MAX_SIGN_IN_TEXT,
    SignInMessage,
    parse_sign_in_message,
    sign_in_text,
)

_NAMESPACES: Final = {one.account_word: namespace for namespace, one in DESCRIPTORS.items()}
_WANTS: Final = " wants you to sign in with your "
_ACCOUNT: Final = " account:"
_NEEDED: Final = {
    "URI": "uri",
    "Version": "version",
    "Chain ID": "chainId",
    "Nonce": "nonce",
    "Issued At": "issuedAt",
}
_OPTIONAL: Final = {"Expiration Time": "expirationTime", "Not Before": "notBefore", "Request ID": "requestId"}
_MAX_LINES: Final = 6 + len(_NEEDED) + len(_OPTIONAL) + 1 + MAX_RESOURCES


def read_sign_in_text(text: str) -> SignInMessage:
    """The message whose text this is (EIP-4361 on eip155, its like elsewhere).

    What is read is written again and compared: another order, another spelling of a time or an address, a scheme before the domain, a
    line too many, and anything else that could be read in two ways is refused.

    Raises:
        ShapeError: it is the text of no message; the details name what is wrong.
    """
    if len(text) > MAX_SIGN_IN_TEXT or len(text.encode("utf-8", "surrogatepass")) > MAX_SIGN_IN_TEXT:
        raise _no_message(f"longer than {MAX_SIGN_IN_TEXT} bytes")
    message = parse_sign_in_message(_fields(text.split("\n", _MAX_LINES)))
    if sign_in_text(message) != text:
        raise _no_message("not in its one spelling")
    return message


def _fields(lines: list[str]) -> dict[str, object]:
    """What the lines say, unchecked: whoever reads it compares the text that it gives with the one that came."""
    domain, wants, rest = lines[0].partition(_WANTS)
    namespace = _NAMESPACES.get(rest.removesuffix(_ACCOUNT))
    if not wants or not rest.endswith(_ACCOUNT) or namespace is None:
        raise _no_message("the first line is not that of a sign-in")
    if len(lines) < 5:
        raise _no_message("it ends too early")
    fields: dict[str, object] = {"domain": domain, "accountAddress": lines[1]}
    at = 4
    if lines[3]:
        fields["statement"], at = lines[3], 5
    for name, field in _NEEDED.items():
        fields[field] = _value(lines, at, name)
        at += 1
    for name, field in _OPTIONAL.items():
        if at < len(lines) and lines[at].startswith(f"{name}: "):
            fields[field] = _value(lines, at, name)
            at += 1
    if at < len(lines) and lines[at] == "Resources:":
        fields["resources"] = tuple(line.removeprefix("- ") for line in lines[at + 1 :])
    fields["chainId"] = str(ChainId(namespace, str(fields["chainId"])))
    return fields


def _value(lines: list[str], at: int, name: str) -> str:
    if at >= len(lines) or not lines[at].startswith(f"{name}: "):
        raise _no_message(f"there is no {name} where it belongs")
    return lines[at].removeprefix(f"{name}: ")


def _no_message(why: str) -> ShapeError:
    return ShapeError(f"SignInMessage: {why}")
