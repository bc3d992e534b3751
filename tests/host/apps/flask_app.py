"""The host in Flask."""

from flask import Flask, g

from walletmodal.host import Modal
from walletmodal.host.flask import kept_nonce, require_sign_in, sign_in, sign_in_nonce, sign_out


def make(modal: Modal) -> Flask:
    app = Flask(__name__)
    app.secret_key = "of the host"

    @app.get("/members")
    @require_sign_in(modal)
    async def members() -> str:
        return str(g.signed_in.account)

    @app.get("/members-sync", endpoint="members_sync")
    @app.post("/orders", endpoint="orders")
    @require_sign_in(modal)
    def members_sync() -> str:
        return str(g.signed_in.account)

    @app.get("/members-cached")
    @require_sign_in(modal)
    def members_cached() -> tuple[str, dict[str, str]]:
        return str(g.signed_in.account), {"Cache-Control": "private, max-age=60"}

    @app.get("/online")
    @require_sign_in(modal, online=True)
    def online() -> str:
        return str(g.signed_in.account)

    @app.get("/bound")
    @require_sign_in(modal, nonce=kept_nonce)
    def bound() -> str:
        return str(g.signed_in.account)

    @app.get("/nonce")
    def nonce() -> str:
        return sign_in_nonce()

    @app.post("/session")
    @require_sign_in(modal)
    def enter() -> str:
        sign_in(g.signed_in)
        return "in"

    @app.delete("/session")
    def leave() -> str:
        sign_out()
        return "out"

    return app
