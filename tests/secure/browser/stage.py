"""A host page, a stand-in for the modal in it, and the real page of the embedded wallet in that: three origins."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import BrowserContext, Frame, FrameLocator, Page, Route

from scripts.build import SECURE_STATIC
from tests.patience import PATIENCE_MS
from tests.secure.browser.site_double import SiteDouble, b64, raw_point

HOST = "http://host.localhost"
MODAL = "http://modal.localhost"
SECURE = "http://secure.localhost"
OTHER = "http://other.localhost"

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)

_HOST_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Host</title><link rel="icon" href="data:,">
<style>body{margin:0}#modal{position:fixed;inset:0;width:100%;height:100%;border:0}</style><iframe id="modal" title="modal" src="MODAL/"></iframe>"""

_MODAL_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Modal</title><link rel="icon" href="data:,">
<style>body{margin:0;background:#141414}iframe{position:fixed;left:calc(50% - 180px);top:40px;width:360px;height:600px;border:0;visibility:hidden}
iframe.on{visibility:visible}@media(max-width:430px){iframe{left:0;top:auto;bottom:0;width:100%}}</style>
<iframe id="w3m-iframe" title="wallet" src="SECURE/sdk"></iframe><script>
const frame = document.getElementById("w3m-iframe"), waiting = new Map();
window.heard = []; window.ports = []; window.announced = 0; let port, made, number = 0;
const renew = () => { window.ready = new Promise((resolve, reject) => {
  made = resolve;
  setTimeout(() => reject(new Error("the frame is not ready")), PATIENCE);
}); };
renew();
const hear = ({data}) => {
  heard.push(data);
  if (data.type === "@w3m-frame/SHOW") { frame.className = "on"; frame.style.height = data.payload.height + "px"; }
  if (data.type === "@w3m-frame/RESIZE") frame.style.height = data.payload.height + "px";
  if (data.type === "@w3m-frame/HIDE") frame.className = "";
  if (data.type === "@w3m-frame/READY") made(data.payload);
  const answer = waiting.get(data.id);
  if (answer) { waiting.delete(data.id); answer(data); }
};
window.hand = (nonce) => {
  const channel = new MessageChannel();
  channel.port1.onmessage = hear; ports.push(channel.port1);
  frame.contentWindow.postMessage({type: "walletmodal:secure-port", nonce}, "SECURE", [channel.port2]);
  return channel.port1;
};
addEventListener("message", (event) => {
  if (event.source !== frame.contentWindow || event.origin !== "SECURE" || event.data.type !== "walletmodal:secure-ready") return;
  window.nonce = event.data.nonce; announced++;
  if (!window.silent) port = hand(window.nonce);
});
window.call = (type, payload) => new Promise((resolve) => {
  const id = "call" + number++;
  waiting.set(id, resolve); port.postMessage({id, type: "@w3m-app/" + type, payload});
});
window.begin = (name, type, payload) => { window[name] = null; call(type, payload).then((answer) => (window[name] = answer)); };
</script>"""

_SECURE_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Wallet</title><meta name="viewport" content="width=device-width">
<meta name="walletmodal-modals" content="MODAL"><meta name="walletmodal-hosts" content="HOST">
<meta name="walletmodal-recovery-key" content="RECOVERY"><meta name="walletmodal-site" content="Example">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/sdk/frame.css"><script src="/sdk/frame.js" defer></script><body></body></html>"""


class Stage:
    """One visitor's page. `context` may be shared: then two pages are two tabs."""

    def __init__(self, context: BrowserContext, site: SiteDouble, origin: str = HOST) -> None:
        self.site = site
        self.context = context
        self.page: Page = context.new_page()
        self.errors: list[str] = []
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda line: self.errors.append(line.text) if line.type == "error" else None)
        self.page.goto(f"{origin}/")

    @property
    def modal(self) -> Frame:
        """The modal's stand-in."""
        return self._frame(MODAL)

    @property
    def secure(self) -> Frame:
        """The page of the embedded wallet."""
        return self._frame(SECURE)

    @property
    def card(self) -> FrameLocator:
        """What the visitor sees of it."""
        return self.page.frame_locator("#modal").frame_locator("#w3m-iframe")

    def _frame(self, origin: str) -> Frame:
        # The page's load waits for the frames within it.
        return next(frame for frame in self.page.frames if frame.url.startswith(origin))

    def ready(self) -> dict[str, Any]:
        """What the page says when it is ready."""
        found: dict[str, Any] = self.modal.evaluate("ready")
        return found

    def call(self, kind: str, payload: object = None) -> dict[str, Any]:
        """Send a message; its answer."""
        self.begin("called", kind, payload)
        return self.answer("called")

    def begin(self, name: str, kind: str, payload: object = None) -> None:
        """Send a message whose answer is read later."""
        self.modal.evaluate(
            "([name, kind, payload]) => ready.then(() => begin(name, kind, payload))", [name, kind, payload]
        )

    def answer(self, name: str) -> dict[str, Any]:
        """The answer to what was begun."""
        self.modal.wait_for_function("(name) => window[name]", arg=name)
        found: dict[str, Any] = self.modal.evaluate("(name) => window[name]", name)
        return found

    def pending(self, name: str) -> bool:
        """Whether it has no answer yet."""
        return bool(self.modal.evaluate("(name) => window[name] === null", name))

    def request(self, method: str, params: object, chain: str = "eip155:1", **more: object) -> None:
        """Begin a request as `asked`."""
        payload = {"method": method, "params": params, "chainId": chain, **more}
        self.begin("asked", "RPC_REQUEST", payload)

    def reload_wallet(self, *, silent: bool) -> None:
        """Load the page of the embedded wallet anew, until it has asked the modal for a port; `silent`: it gets none."""
        before = self.modal.evaluate("(silent) => { window.silent = silent; renew(); return announced }", silent)
        self.secure.evaluate("() => location.reload()")
        self.modal.wait_for_function("(before) => announced > before", arg=before)

    def log_in(self, email: str = "kim@example.org") -> dict[str, Any]:
        """Sign in with the code of the mail; the user."""
        assert self.call("CONNECT_EMAIL", {"email": email})["payload"]["action"] == "VERIFY_OTP"
        assert self.call("CONNECT_OTP", {"otp": "123456"})["type"] == "@w3m-frame/CONNECT_OTP_SUCCESS"
        found: dict[str, Any] = self.call("GET_USER", {"chainId": "eip155:1"})["payload"]
        return found


def serve(context: BrowserContext, site: SiteDouble, *, escrow: bool = True, tells_site: bool = True) -> None:
    """Have the context's requests answered: the three origins, and the calls of the secure one. `tells_site`: unlike Firefox the browser does."""
    recovery = b64(raw_point(site.escrow_key.public_key())) if escrow else ""

    def page(route: Route, html: str, headers: dict[str, str] | None = None) -> None:
        for name, value in {
            "HOST": HOST,
            "MODAL": MODAL,
            "SECURE": SECURE,
            "RECOVERY": recovery,
            "PATIENCE": str(PATIENCE_MS),
        }.items():
            html = html.replace(name, value)
        route.fulfill(content_type="text/html; charset=utf-8", body=html, headers=headers or {})

    def static(route: Route) -> None:
        name = route.request.url.rpartition("/")[2]
        kind = "text/css" if name.endswith(".css") else "text/javascript"
        text = (SECURE_STATIC / name).read_text()
        if not tells_site:
            text = text.replace("location.ancestorOrigins", "undefined")
        route.fulfill(content_type=f"{kind}; charset=utf-8", body=text)

    def within(route: Route) -> None:
        around = parse_qs(urlsplit(route.request.url).query)["site"][0]
        headers = {"Content-Security-Policy": f"{_POLICY}; frame-ancestors 'self' {MODAL} {around}"}
        page(route, f'<!doctype html><html lang="en" data-within="{around}"><title>Within</title>', headers)

    policy = f"{_POLICY}; frame-ancestors {MODAL} {HOST} {OTHER}"
    context.route(f"{HOST}/", lambda route: page(route, _HOST_PAGE))
    context.route(f"{OTHER}/", lambda route: page(route, _HOST_PAGE))
    context.route(f"{MODAL}/", lambda route: page(route, _MODAL_PAGE))
    context.route(f"{SECURE}/sdk", lambda route: page(route, _SECURE_PAGE, {"Content-Security-Policy": policy}))
    alone = {"Content-Security-Policy": f"{_POLICY}; frame-ancestors 'none'"}
    context.route(f"{SECURE}/popup", lambda route: page(route, _SECURE_PAGE, alone))
    context.route(f"{SECURE}/within?*", within)
    context.route(f"{SECURE}/sdk/*", static)
    context.route(f"{SECURE}/v1/**", site.handle)
