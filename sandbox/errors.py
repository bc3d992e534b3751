"""What can keep the sandbox from starting.

SandboxError
├── PortTaken      another program listens where the sandbox should
├── PartMissing    a package or a build product is not there yet
└── NodeFailed     a chain's node ended, or did not come up
"""


class SandboxError(Exception):
    """A failure that the person who starts the sandbox can mend; its text says how."""


class PortTaken(SandboxError):
    """A port is in use.

    Args:
        port: the port that was wanted.
        setting: the environment variable that chooses it.
    """

    def __init__(self, port: int, setting: str) -> None:
        super().__init__(
            f"port {port} is taken by another program; stop it, or choose another with {setting}"
        )
        self.port = port
        self.setting = setting


class PartMissing(SandboxError):
    """Something that an installation or a build step should have made is not there."""


class NodeFailed(SandboxError):
    """A chain's node did not start, or ended; the text carries its last words."""
