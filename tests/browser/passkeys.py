"""Chromium's virtual authenticator: it belongs to a tab, and its passkeys are there on every site that the tab visits."""

from playwright.sync_api import Page


class Authenticator:
    """One that asks nobody: it verifies its owner at once, or never.

    Args:
        page: whose tab has it.
        prf: whether its passkeys give a secret.
    """

    def __init__(self, page: Page, *, prf: bool = True) -> None:
        self._session = page.context.new_cdp_session(page)
        self._session.send("WebAuthn.enable", {"enableUI": False})
        options = {
            "protocol": "ctap2",
            "ctap2Version": "ctap2_1",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "hasPrf": prf,
            "automaticPresenceSimulation": True,
        }
        self._id = self._session.send("WebAuthn.addVirtualAuthenticator", {"options": options})["authenticatorId"]

    def verifies(self, verified: bool) -> None:
        """Whether its owner is known by it from now on."""
        self._session.send("WebAuthn.setUserVerified", {"authenticatorId": self._id, "isUserVerified": verified})

    @property
    def count(self) -> int:
        """How many passkeys it has."""
        return len(self._session.send("WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"])
