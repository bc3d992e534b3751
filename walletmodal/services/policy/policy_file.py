"""The Python file that `POLICY_FILE` names."""

import logging
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from types import ModuleType
from typing import Final, NamedTuple

from walletmodal.core.errors import SettingProblem, SettingsError
from walletmodal.core.requests.policy import Allow, Decision, Deny
from walletmodal.core.requests.typed_request import HostedRequest
from walletmodal.core.smart_accounts.sponsorship import Sponsorship

Decide = Callable[[HostedRequest], Decision | Awaitable[Decision]]
"""What the file defines: `def decide(request: Request) -> Allow | Deny | Confirm`, or `async def`."""
Sponsor = Callable[[Sponsorship], Allow | Deny | Awaitable[Allow | Deny]]
"""What it may define besides: `def sponsor(sponsorship: Sponsorship) -> Allow | Deny`, or `async def`."""

_MODULE: Final = "walletmodal_policy_file"

logger = logging.getLogger(__name__)


class _Functions(NamedTuple):
    decide: Decide
    sponsor: Sponsor


def _allow(_sponsorship: Sponsorship) -> Allow:
    return Allow()


class PolicyFile:
    """The file, loaded; with `reloads`, loaded again after each change.

    Args:
        path: of the file.
        reloads: whether to look for changes. A changed file that cannot be loaded allows nothing until it is repaired.

    Raises:
        SettingsError: it cannot be read, does not run, has no `decide`, or a `sponsor` that is no function; names POLICY_FILE and says why.
    """

    def __init__(self, path: Path, *, reloads: bool = False) -> None:
        self._path, self._reloads = path, reloads
        self._stamp = self._seen()
        self._functions = self._load()

    def decide(self) -> Decide:
        """The function as the file has it now. Reads the file where that has changed, so call it where waiting is allowed.

        Raises:
            SettingsError: as for the class; only where it reloads.
        """
        return self._current().decide

    def sponsor(self) -> Sponsor:
        """The function that decides who is sponsored; one that allows everything where the file has none. As `decide`."""
        return self._current().sponsor

    def _current(self) -> _Functions:
        if self._reloads:
            stamp = self._seen()
            if stamp != self._stamp or self._functions is None:
                self._functions, self._stamp = None, stamp
                self._functions = self._load()
                logger.info("the policy was loaded anew")
        if self._functions is None:
            raise self._problem("it could not be loaded")
        return self._functions

    def _seen(self) -> tuple[int, int]:
        try:
            found = self._path.stat()
        except OSError:
            return (0, 0)
        return (found.st_mtime_ns, found.st_size)

    def _load(self) -> _Functions | None:
        module = ModuleType(_MODULE)
        module.__file__ = str(self._path)
        # Where dataclasses and their like look for what their annotations mean.
        sys.modules[_MODULE] = module
        try:
            # Not by the import system, which would write its cache beside the file and take a changed one of the same second for the old.
            code = compile(self._path.read_bytes(), str(self._path), "exec")
            exec(code, module.__dict__)  # noqa: S102 # it is the operator's own, as the settings are
        except (Exception, SystemExit) as error:  # whatever the operator's code raises is told at the start
            raise self._problem(f"{type(error).__name__}: {error}") from error
        decide = module.__dict__.get("decide")
        if not callable(decide):
            raise self._problem("it defines no function `decide(request)`")
        sponsor = module.__dict__.get("sponsor", _allow)
        if not callable(sponsor):
            raise self._problem("its `sponsor` is no function")
        return _Functions(decide, sponsor)

    def _problem(self, what: str) -> SettingsError:
        return SettingsError([SettingProblem("POLICY_FILE", f"{self._path}: {what[:500]}", "policy.py")])
