/** Starts the page: the frame within a modal, or the window that a frame has opened. */
import { Api } from "./api";
import { hex, random } from "./bytes";
import { Custody } from "./custody";
import { Device } from "./device";
import { element, meta } from "./elements";
import { Frame, type Parts } from "./frame";
import { askingPage } from "./host_page";
import { addressesOf, base58, deriveKeys, mnemonicOf } from "./keys";
import { speak } from "./language";
import { Login, readKept } from "./login";
import { takePort } from "./port";
import { Screen } from "./screen";
import { loadHostClient, loadLater, loadRequests, type LaterScript, type RequestsScript } from "./scripts";
import { Requests } from "./signing";
import { openStore } from "./storage";

async function makeParts(tell: (type: string, payload: object) => void): Promise<Parts> {
  const store = await openStore();
  // Of whom was here before; the keys of a first visit, which are written, would have it wait.
  const kept = readKept(store);
  const device = await Device.open(store);
  const api = new Api(device);
  const custody = new Custody(store, device, api, meta("recovery-key"), askingPage("").origin);
  const screen = new Screen(tell);
  const login = new Login(api, store, custody, () => {
    screen.abort();
    tell("SESSION_UPDATE", { isConnected: false });
  });
  await login.resume(kept);
  const requests = new Requests({ api, login, custody, screen, store }, () => speak().then(loadRequests));
  return { api, custody, login, screen, requests, store };
}

const origins = (name: string) => new Set(meta(name).split(/\s+/).filter(Boolean));

function beFrame(): void {
  let frame: Frame | null = null;
  // Storage and keys are opened while the modal makes its port.
  const parts = makeParts((type, payload) => frame?.tell(type, payload));
  const take = (port: MessagePort) => {
    frame = new Frame(port, parts);
    void frame.ready(meta("logins"));
  };
  if (/[?&]projectId=/.test(location.search)) void loadHostClient().then((script) => script.serveHost(window, origins("clients"), parts, take));
  else takePort(window, origins("modals"), hex(random(16)), take);
}

function start(): void {
  document.documentElement.dataset["theme"] ??= matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
  if (parent !== window) beFrame();
  else if (opener) {
    const core = { base58, addressesOf, deriveKeys, mnemonicOf };
    void speak().then<LaterScript | RequestsScript>(location.hash ? loadLater : loadRequests).then((script) => script.beWindow(opener as Window, core));
  }
  else document.body.replaceChildren(element("p", { class: "alone" }, "This page works within a wallet modal. There is nothing to do here."));
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
