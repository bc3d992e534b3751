(function () {
  function memory() {
    var kept = new Map();
    return {
      get length() { return kept.size; },
      key: function (i) { return Array.from(kept.keys())[i] ?? null; },
      getItem: function (k) { return kept.has(String(k)) ? kept.get(String(k)) : null; },
      setItem: function (k, v) { kept.set(String(k), String(v)); },
      removeItem: function (k) { kept.delete(String(k)); },
      clear: function () { kept.clear(); },
    };
  }
  ["localStorage", "sessionStorage"].forEach(function (name) {
    try {
      window[name].setItem("__probe", "1");
      window[name].removeItem("__probe");
    } catch (denied) {
      Object.defineProperty(window, name, { value: memory(), configurable: true });
    }
  });

  if (!location.hash && !/^en\b/i.test(navigator.language)) {
    history.replaceState(history.state, "", "#locale=" + navigator.languages);
  }

  var nonce = Array.from(crypto.getRandomValues(new Uint8Array(16)), function (b) {
    return b.toString(16).padStart(2, "0");
  }).join("");
  var sent = 0;
  var frame = (window.__walletmodal = {
    port: null,
    origin: "",
    queue: [],
    dropped: 0,
    listen: null,
    post: function (type, payload, id) {
      if (frame.port) frame.port.postMessage({ v: 1, id: id || "f" + ++sent, type: type, payload: payload });
    },
  });
  addEventListener("message", function (event) {
    var data = event.data;
    if (!data || data.type !== "walletmodal:port") return;
    if (frame.port || event.source !== window.parent || data.v !== 1 || data.id !== nonce || event.ports.length !== 1) {
      frame.dropped++;
      return;
    }
    frame.port = event.ports[0];
    frame.origin = event.origin;
    frame.port.onmessage = function (message) {
      if (frame.listen) frame.listen(message.data);
      else if (frame.queue.length < 5000) frame.queue.push(message.data);
      else frame.dropped++;
    };
    setTimeout(function () {
      if (frame.listen) return;
      frame.queue.splice(0).forEach(function (message) {
        if (message.type !== "call" && message.type !== "request") return frame.queue.push(message);
        frame.post("result", { ok: false, value: null, error: { code: 4900, message: "The modal could not be loaded" } }, message.id);
      });
    }, 60000);
  });
  var ready = { v: 1, id: nonce, type: "walletmodal:ready", payload: {} };
  if (window.parent !== window) {
    window.parent.postMessage(ready, "*");
  } else if (location.pathname === "/") {
    var script = document.createElement("script");
    script.src = "/walletmodal.js";
    script.onload = function () {
      window.WalletModal.create({ src: location.origin, standalone: true });
      window.postMessage(ready, location.origin);
    };
    document.head.appendChild(script);
  }
})();
