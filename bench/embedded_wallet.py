"""How long the embedded wallet lets a visitor wait: for its frame, after the code, for a signature, after a reload; and what a call's check costs."""

import asyncio
import re
import time
from dataclasses import replace

import httpx
from playwright.sync_api import Browser, Frame, Page
from starlette.datastructures import Headers

from bench.apps import App, served
from bench.browser import HOST_BUTTON, fresh_page, preloaded, wait_for
from bench.figures import Figure, Floor, figure
from bench.sandbox_start import running_sandbox
from bench.secure_device import Device
from scripts.build import build_sandbox, build_secure
from walletmodal.commands.project import CommandError, say
from walletmodal.core.clock import SystemClock
from walletmodal.secure.calls.device import DeviceCheck
from walletmodal.secure.calls.nonces import MemoryNonces

VISITORS = 40
SIGNATURES = 2
CHECKS = 2000

_MS = 1000.0
_READY = """(() => {
  const post = MessagePort.prototype.postMessage;
  MessagePort.prototype.postMessage = function (message, ...rest) {
    if (message?.type === "@w3m-frame/READY") window.__ready = performance.now();
    if (message?.type === "sessions") window.__sessions = __probe.now();
    return post.call(this, message, ...rest);
  };
})();"""
"""Notes in the secure site's page when it says that it is ready, in ms since its navigation began, and in the modal when it tells the host page's script the addresses."""

_SIGN = """(number) => {
  window.__signed = 0;
  const asked = { method: "personal_sign", params: ["0x" + number.toString(16).padStart(8, "0"), modal.getAddress()] };
  modal.getProvider("eip155").request(asked).then(() => (window.__signed = __probe.now()), (error) => (window.__failed = error.message));
}"""


_CALL = """async () => {
  const began = performance.now();
  await fetch("/_health");
  return performance.now() - began;
}"""
"""How long the secure site takes for a request that asks its database for nothing."""

_EMPTY_FRAME = """async (url) => {
  const frame = document.createElement("iframe");
  const began = performance.now();
  await new Promise((loaded) => {
    frame.onload = loaded;
    frame.src = url;
    document.body.append(frame);
  });
  frame.remove();
  return performance.now() - began;
}"""
"""How long a frame of the same site takes that has nothing in it."""


def device_checks() -> list[Figure]:
    """The figure of what the server does before it looks at a call.

    Raises:
        secure.errors.CallError: a good signature was refused.
    """
    say(f"device: {CHECKS:,} signed calls")
    return [
        figure("device_check_ms", "check of a device's signature", "ms", asyncio.run(_checks()), floor=Floor(0.2)),
    ]


async def _checks() -> list[float]:
    clock, device, path, body = SystemClock(), Device(), "/v1/me", b"{}"
    check = DeviceCheck(MemoryNonces(clock), clock)
    took = []
    for _ in range(CHECKS):
        headers = Headers(device.headers(path, body))
        began = time.perf_counter()
        await check(path, headers, "", body)
        took.append((time.perf_counter() - began) * _MS)
    return took


def embedded_wallet(browser: Browser, app: App, host: str) -> list[Figure]:
    """The figures of a visitor who logs in by email.

    Raises:
        CommandError: something did not come about.
    """
    say(f"embedded wallet: {VISITORS} visitors log in by email, sign {SIGNATURES} times each, and come back")
    build_sandbox()
    build_secure()
    ready: list[float] = []
    entered: list[float] = []
    told: list[float] = []
    signed: list[float] = []
    back: list[float] = []
    empty: list[float] = []
    calls: list[float] = []
    loaded: list[float] = []
    with running_sandbox({"SECURE_MODAL_ORIGINS": app.url, "ALLOWED_ORIGINS": host}) as sandbox:
        services = {"SECURE_SITE_URL": f"{sandbox.secure_url}/sdk"}
        with served(replace(app, environment={**app.environment, **services})):
            for number in range(VISITORS):
                with fresh_page(browser) as page:
                    page.context.add_init_script(_READY)
                    email = f"visitor{number}@example.org"
                    modal = preloaded(page, host, app.url)
                    told.append(log_in(page, modal, sandbox.url, email))
                    entered.append(float(modal.evaluate("__sessions - __probe.typed")))
                    secure = secure_frame(page, sandbox.secure_url)
                    ready.append(secure.evaluate("window.__ready"))
                    empty.append(page.evaluate(_EMPTY_FRAME, f"{sandbox.secure_url}/within?site={host}"))
                    calls += [secure.evaluate(_CALL) for _ in range(SIGNATURES)]
                    signed += [_sign(page, secure, count) for count in range(SIGNATURES)]
                    back.append(_come_back(page, host))
                    loaded.append(page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
    call = "beside it a request of the secure site that asks its database for nothing"
    return [
        figure("embedded_ready_ms", "frame of the secure site requested until READY", "ms", ready, floor=Floor(300), reference=empty, note="beside it a frame of the same site with nothing in it"),
        figure("embedded_code_ms", "last digit of the code to address in the modal", "ms", entered, floor=Floor(60, on="p95"), reference=calls, note=call),
        figure("embedded_told_ms", "last digit of the code to address at the host", "ms", told, reference=entered, note="beside it the way to the modal; the rest is the server's answer, and the host's page shares a thread with the modal's here"),
        figure("embedded_sign_ms", "confirming click to signature at the host", "ms", signed, floor=Floor(60, on="p95"), reference=calls, note=call),
        figure("embedded_back_ms", "reload to address of the embedded wallet at the host", "ms", back, floor=Floor(100), reference=loaded, note="beside it the end of the host page's own loading"),
    ]  # fmt: skip


def log_in(page: Page, modal: Frame, sandbox: str, email: str) -> float:
    """Logs a visitor in by email; returns the time from the last digit of the code to the address at the host, in ms."""
    # Playwright's own script, which would hold up what is measured, is in the frame from its first question on.
    modal.locator("body").wait_for(state="attached")
    page.click(HOST_BUTTON)
    modal.locator('[data-testid="wui-email-input"] input').fill(email)
    modal.locator('[data-testid="email-submit"]').click()
    boxes = modal.locator('[data-testid="wui-otp-input"] input')
    boxes.first.wait_for()
    code = _code(sandbox, email)
    # While a person looks for the mail, the frame makes keys.
    page.wait_for_timeout(500)
    boxes.first.press_sequentially(code)
    known: float = wait_for(page, page, "window.__connected", "the address at the host")
    return known - float(modal.evaluate("__probe.typed"))


def _code(sandbox: str, email: str) -> str:
    mails = httpx.get(f"{sandbox}/sandbox/mails", params={"to": email}, trust_env=False).raise_for_status().json()
    found = re.match(r"\d{6}\b", mails[-1]["subject"]) if mails else None
    if found is None:
        raise CommandError(f"embedded wallet: no code was mailed to {email}")
    return found[0]


def secure_frame(page: Page, origin: str) -> Frame:
    """Returns the secure site's frame in a host page."""
    found = next((frame for frame in page.frames if frame.url.startswith(origin)), None)
    if found is None:
        raise CommandError("embedded wallet: there is no frame of the secure site")
    return found


def _sign(page: Page, secure: Frame, number: int) -> float:
    page.evaluate(_SIGN, number)
    approve = secure.locator('[data-testid="frame-approve"]:enabled')
    approve.hover()
    # The frame wants the pointer to have been there for half a second.
    page.wait_for_timeout(600)
    approve.click()
    done = wait_for(page, page, "window.__signed || window.__failed", "a signature")
    if isinstance(done, str):
        raise CommandError(f"embedded wallet: {done}")
    return float(done) - float(secure.evaluate("__probe.clicked"))


def _come_back(page: Page, host: str) -> float:
    page.goto(f"{host}/auto")
    wait_for(page, page, "window.__connected", "the address at the host")
    page.reload()
    known: float = wait_for(page, page, "window.__connected", "the address at the host")
    return known - float(page.evaluate("performance.timeOrigin"))
