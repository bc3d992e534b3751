"""`python -m walletmodal.secure`: checks the settings, migrates and serves. `delete` erases an account, `restored` ends what a backup brings back, `addresses` tells a restored recovery service where codes go, `rotate` wraps by the newest KEK, `key` makes one; `doctor` and `verify` look."""

import asyncio
import os
import sys
from collections.abc import Callable
from typing import Final

import httpx

from walletmodal.core.errors import SettingsError
from walletmodal.operator.findings import host_of
from walletmodal.operator.printing import Printer
from walletmodal.secure.doctor import doctor
from walletmodal.secure.encoding import encode
from walletmodal.secure.erasure import erase_account, read_who
from walletmodal.secure.errors import StartError
from walletmodal.secure.pages import STATIC
from walletmodal.secure.published import compare, file_hashes
from walletmodal.secure.serving import end_restored_site, migrate_site, rotate_site, serve_site, tell_addresses_site
from walletmodal.secure.settings import Settings, load_settings

USAGE: Final = """usage: python -m walletmodal.secure [doctor [--json] | verify URL | delete WHO [--yes] | migrate | restored | addresses | rotate | key]
  (nothing)  serves the secure site
  migrate    brings the database to the newest revision, as each start does, and ends
  doctor     checks mail, keys, clocks, the recovery service, the providers and the served page; changes nothing
  verify     compares the pages and files that a site serves with what is built here, prints the hashes, and what the pages tell their
             script of the deployment, which is for you to look at; needs no settings
  delete     erases an account for good: WHO is its email address, an address of its wallet or its id in the audit, or - to read that from standard input;
             without --yes it only says which account it is
  restored   to be run on a restored database before the site is started: sessions, codes and proofs end, which may have been ended or
             used up since the backup, and deletions wait anew, which may have been stopped
  addresses  to be run after the recovery service was restored: the site tells it anew where the codes of each wallet go
  rotate     wraps what lies in the database by the last key of EMBEDDED_KEK
  key        prints a new key"""

_OF_THE_DATABASE: Final[dict[str, Callable[[], None]]] = {
    "migrate": migrate_site,
    "restored": end_restored_site,
    "addresses": tell_addresses_site,
    "rotate": rotate_site,
}


async def verify(url: str) -> bool:
    """Prints which pages and files of this checkout a site serves, the hash of each file, and what the pages tell of the deployment."""
    built = file_hashes(STATIC)
    if not built:
        raise StartError("the page is not built: make build")
    try:
        wrong, pages, told = await compare(url.rstrip("/"), built)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise StartError(f"{host_of(url)} does not answer ({type(error).__name__})") from error
    for path, digest in (dict.fromkeys(pages, "") | built).items():
        sys.stdout.write(f"{'DIFFERENT' if path in wrong else 'same'}  {path}  {digest}".rstrip() + "\n")
    for name, value in told.items():
        # It comes from the site, and goes to a terminal.
        sys.stdout.write(f"told  {name!a}  {value!a}\n")
    return not wrong


def main(arguments: list[str]) -> int:
    """Runs a command; returns its status."""
    try:
        match arguments:
            case []:
                serve_site()
            case [command] if command in _OF_THE_DATABASE:
                _OF_THE_DATABASE[command]()
            case ["doctor", *options] if options in ([], ["--json"]):
                return 0 if asyncio.run(doctor(load_settings(Settings), Printer(machine=bool(options)))) else 1
            case ["delete", who, *options] if options in ([], ["--yes"]):
                done = asyncio.run(erase_account(load_settings(Settings), read_who(who), really=bool(options)))
                sys.stdout.write(f"{done}\n")
            case ["verify", url]:
                return 0 if asyncio.run(verify(url)) else 1
            case ["key"]:
                sys.stdout.write(f"{encode(os.urandom(32))}\n")
            case _:
                sys.stderr.write(f"{USAGE}\n")
                return 2
    except (SettingsError, StartError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
