"""How a host's server calls others over HTTP."""

from urllib.request import HTTPRedirectHandler


class NoRedirects(HTTPRedirectHandler):
    """Follows no redirect: whoever is sent elsewhere would take the API key along."""

    def redirect_request(self, *_args: object, **_more: object) -> None:
        """Refuses."""
        return
