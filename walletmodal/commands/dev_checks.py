"""What the development server needs before it starts: settings that can be served with, and a database with its tables.

In a process of its own: what the server itself has in memory stays in its workers as it is, whatever is saved.
"""

from walletmodal.commands.project import CommandError, die
from walletmodal.commands.serve import migrate
from walletmodal.config import load_settings
from walletmodal.core.errors import CatalogueError, SettingsError
from walletmodal.operator.start_checks import check_files


def main() -> None:
    """Check the settings and migrate."""
    try:
        settings = load_settings()
        check_files(settings)
        migrate(settings)
    except (SettingsError, CatalogueError) as error:
        die(str(error), status=2)
    except CommandError as error:
        die(str(error))


if __name__ == "__main__":
    main()
