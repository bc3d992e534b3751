"""Gives browsers the patience of the tests, in place of Playwright's own: that of `expect`, and that of every page."""

from playwright import async_api, sync_api

from tests.patience import PATIENCE_MS

sync_api.expect.set_options(timeout=PATIENCE_MS)
async_api.expect.set_options(timeout=PATIENCE_MS)


def patient(browser: sync_api.Browser) -> sync_api.Browser:
    """The browser, whose contexts to come wait as long as tests do."""
    browser.on("context", lambda context: context.set_default_timeout(PATIENCE_MS))
    return browser


def patient_async(browser: async_api.Browser) -> async_api.Browser:
    """The same of Playwright's asynchronous interface."""
    browser.on("context", lambda context: context.set_default_timeout(PATIENCE_MS))
    return browser
