(function () {
  function memory() {
    var kept = new Map();
    return {
      get length() { return kept.size; },
      key: (i) => [...kept.keys()][i] ?? null,
      getItem: (k) => kept.get(k + "") ?? null,
      setItem: (k, v) => { kept.set(k + "", v + ""); },
      removeItem: (k) => { kept.delete(k + ""); },
      clear: () => kept.clear(),
    };
  }
  ["localStorage", "sessionStorage"].forEach((name) => {
    try {
      window[name].setItem("_", "_");
      window[name].removeItem("_");
    } catch {
      Object.defineProperty(window, name, { value: memory() });
    }
  });
  var forget = () => sessionStorage.removeItem("walletmodal_seen");
  forget();
  addEventListener("pagehide", forget);
  addEventListener("storage", (event) => event.key === "walletmodal_seen" && forget());

  var english;
  if (!location.hash && !/^en/i.test(navigator.language)) {
    history.replaceState(null, "", "#locale=" + navigator.languages);
    english = fetch("/v1/texts?locales=" + encodeURIComponent(navigator.languages))
      .then((answer) => answer.json())
      .then((texts) => texts.locale === "en")
      .catch(() => {});
  }

  var nonce = Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(16).padStart(8, "0")).join("");
  var sent = 0;
  var frame = (window.__walletmodal = {
    port: null,
    origin: "",
    queue: [],
    dropped: 0,
    listen: null,
    english,
    post(type, payload, id) {
      if (frame.port) frame.port.postMessage({ v: 1, id: id || "f" + ++sent, type, payload });
    },
  });
  addEventListener("message", (event) => {
    var data = event.data;
    if (!data || data.type !== "walletmodal:port") return;
    if (frame.port || event.source !== parent || data.v !== 1 || data.id !== nonce || event.ports.length !== 1) {
      frame.dropped++;
      return;
    }
    frame.port = event.ports[0];
    frame.origin = event.origin;
    frame.port.onmessage = (message) => {
      if (frame.listen) frame.listen(message.data);
      else if (frame.queue.length < 5000) frame.queue.push(message.data);
      else frame.dropped++;
    };
    setTimeout(() => {
      if (frame.listen) return;
      frame.queue.splice(0).forEach((message) => {
        if (/^(call|request)$/.test(message.type)) {
          frame.post("result", { ok: false, value: null, error: { code: 4900, message: "The modal could not be loaded" } }, message.id);
        } else frame.queue.push(message);
      });
    }, 60000);
  });
  var ready = { v: 1, id: nonce, type: "walletmodal:ready", payload: {} };
  if (parent !== window) {
    parent.postMessage(ready, "*");
  } else if (location.pathname === "/") {
    var script = document.createElement("script");
    script.src = "/walletmodal.js";
    script.onload = () => {
      WalletModal.create({ src: location.origin, standalone: true });
      postMessage(ready, location.origin);
    };
    document.head.appendChild(script);
  }
})();
