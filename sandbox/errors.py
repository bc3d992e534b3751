"""What can keep the sandbox from starting.

SandboxError
├── PortTakenError      another program listens where the sandbox should
├── PartMissingError    a package or a build product is not there yet
└── NodeFailedError     a chain's node ended, or did not come up
"""


class SandboxError(Exception):
    """A failure that the person who starts the sandbox can mend; its text says how."""


class PortTakenError(SandboxError):
    """A port is in use.

    Args:
        port: the port that was wanted.
        setting: the environment variable that chooses it.
    """

    def __init__(self, port: int, setting: str) -> None:
        super().__init__(f"port {port} is taken by another program; stop it, or choose another with {setting}")
        self.port = port
        self.setting = setting


class PartMissingError(SandboxError):
    """Something that an installation or a build step should have made is not there."""


class NodeFailedError(SandboxError):
    """A chain's node did not start, or ended; the text carries its last words."""
