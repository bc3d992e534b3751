"""Which IP addresses belong to the public internet (IANA special-purpose registries, RFC 6890); all others are somebody's inside."""

import ipaddress
from typing import Final

IpAddress = ipaddress.IPv4Address | ipaddress.IPv6Address

_NOT_PUBLIC_V4: Final = tuple(
    ipaddress.IPv4Network(text)
    for text in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        # Cloud machines ask 169.254.169.254 for their own keys.
        "169.254.0.0/16",
        # A public address by its number, and the host's own agent on every machine of one cloud.
        "168.63.129.16/32",
        "172.16.0.0/12",
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.88.99.0/24",
        "192.168.0.0/16",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",
        "240.0.0.0/4",
    )
)
_GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
_NOT_PUBLIC_V6: Final = tuple(
    ipaddress.IPv6Network(text)
    for text in (
        # Teredo, benchmarking, ORCHID and the like.
        "2001::/23",
        "2001:db8::/32",
        # 6to4 carries an IPv4 address; nobody serves anything there.
        "2002::/16",
        "3fff::/20",
    )
)
_MAPPED: Final = ipaddress.IPv6Network("::ffff:0:0/96")
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")
_LAST_32_BITS: Final = 0xFFFF_FFFF


def ip_address(text: str) -> IpAddress | None:
    """The address that a text spells, or None; one with a zone (`fe80::1%eth0`) is none."""
    try:
        found = ipaddress.ip_address(text)
    except ValueError:
        return None
    return None if "%" in text else found


def is_public_address(address: IpAddress) -> bool:
    """Whether the address is a public host's. An IPv4 address inside an IPv6 one (mapped, NAT64) is judged by itself."""
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in network for network in _NOT_PUBLIC_V4)
    if address in _MAPPED or address in _NAT64:
        return is_public_address(ipaddress.IPv4Address(int(address) & _LAST_32_BITS))
    return address in _GLOBAL_UNICAST and not any(address in network for network in _NOT_PUBLIC_V6)


def is_loopback_address(address: IpAddress) -> bool:
    """Whether the address is this machine's own: 127.0.0.0/8 or ::1, in any wrapping."""
    if isinstance(address, ipaddress.IPv6Address) and address in _MAPPED:
        return ipaddress.IPv4Address(int(address) & _LAST_32_BITS).is_loopback
    return address.is_loopback
