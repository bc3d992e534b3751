"""`make dev`: `walletmodal dev`, which here builds the loader again as well when its sources change."""

from functools import partial

from scripts.build import build_loader, loader_inputs
from walletmodal.commands.dev import dev
from walletmodal.commands.processes import until_stopped
from walletmodal.commands.project import CommandError, say
from walletmodal.commands.stamp import digest


class LoaderWatch:
    """Builds the loader again when its sources change; the development server then serves the new one."""

    def __init__(self) -> None:
        self._built = self._current()

    @staticmethod
    def _current() -> str:
        return digest(loader_inputs())

    def __call__(self) -> None:
        """Build if something changed; an error of the sources is shown and the old loader stays."""
        current = self._current()
        if current == self._built:
            return
        self._built = current
        try:
            build_loader()
        except CommandError as error:
            say(str(error))
        else:
            say("the loader was built again")


def main() -> None:
    """Run the command."""
    until_stopped(partial(dev, LoaderWatch()))


if __name__ == "__main__":
    main()
