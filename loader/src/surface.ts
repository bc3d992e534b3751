/** How the frame sits in the host page: its iframe, and what the page gives up while the modal is open. */

// Made by script, a sheet needs no `style-src` of the host; and the host's own declarations are not touched.
const lock = new CSSStyleSheet();
document.adoptedStyleSheets.push(lock);

/** Stops the page from scrolling, or lets it scroll again. */
export function lockScroll(locked: boolean): void {
  // The gutter keeps the place of a scrollbar that is about to vanish, or the page would jump sideways.
  const gutter = innerWidth > document.documentElement.clientWidth ? "stable" : "auto";
  lock.replaceSync(
    locked ? `html{overflow:hidden!important;touch-action:none!important;overscroll-behavior:contain!important;scrollbar-gutter:${gutter}!important}` : "",
  );
}

/** The element that has the focus, inside open shadow roots too. */
export function focused(): HTMLElement | null {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  return element as HTMLElement | null;
}

/** Makes the iframe of the modal; `embedded` puts it into the page's flow instead of over the page. */
export function createIframe(src: URL, embedded: boolean | undefined): HTMLIFrameElement {
  const iframe = document.createElement("iframe");
  // Passkeys: of the secure site in it, which can be given only what the modal has.
  const features = "clipboard-read clipboard-write publickey-credentials-get publickey-credentials-create";
  iframe.allow = features.replace(/ |$/g, " " + src.origin + ";");
  // scripts: the modal is an application. same-origin: its socket, cookie and storage belong to its own origin (never the
  // host's, or the sandbox would be void). forms: the e-mail and code inputs submit. popups: deep links,
  // wallet sites, and providers of logins, whose pages do not work in a sandbox.
  iframe.sandbox = "allow-scripts allow-same-origin allow-forms allow-popups allow-popups-to-escape-sandbox";
  // Hidden, not display:none, in which a frame neither lays out nor animates. The colour scheme equals that of the frame's
  // root: with unequal schemes browsers paint the frame opaque. `all` takes away what browsers give a popover: border, padding, ground.
  iframe.style.cssText =
    "all:initial;width:100%;height:100%;color-scheme:light!important;" + (embedded ? "" : "position:fixed;inset:0;visibility:hidden");
  iframe.src = src.href;
  return iframe;
}
