"""The smallest Python page that embeds the modal.

    pip install -r requirements.txt
    MODAL_URL=http://localhost:3000 uvicorn app:app --port 8000

The modal's server must allow this page's origin: ALLOWED_ORIGINS=http://localhost:8000
"""

import os
from html import escape

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, PlainTextResponse

MODAL_URL = os.environ.get("MODAL_URL", "http://localhost:3000").rstrip("/")

PAGE = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A page with a wallet</title>
<script src="{escape(MODAL_URL)}/walletmodal.js"></script>
<script src="/page.js" defer></script>
<h1>A page with a wallet</h1>
<wallet-modal-button></wallet-modal-button>
<p>Connected: <output id="account">nobody</output></p>
</html>"""

SCRIPT = """
const modal = WalletModal.create({ networks: ["eip155:1", "eip155:137"] });
modal.subscribeAccount((account) => {
  document.getElementById("account").value = account.address || "nobody";
});
"""

POLICY = f"default-src 'none'; script-src 'self' {MODAL_URL}; frame-src {MODAL_URL}; img-src data:"
"""All that a strict page must allow: its own things, and of the modal the script and the frame; the network's picture comes inside a message."""

app = FastAPI()


@app.get("/", response_class=HTMLResponse)
def page() -> HTMLResponse:
    """The page."""
    return HTMLResponse(PAGE, headers={"Content-Security-Policy": POLICY})


@app.get("/page.js")
def script() -> PlainTextResponse:
    """The page's own script; its policy allows none inline."""
    return PlainTextResponse(SCRIPT, media_type="text/javascript")
