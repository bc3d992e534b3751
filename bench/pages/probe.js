// Runs first in every window of a measured page. Times are milliseconds since 1970 by each window's own performance clock, so that two
// windows of one browser can be compared.
(() => {
  const now = () => performance.timeOrigin + performance.now();
  const probe = (window.__probe = { clicked: 0, typed: 0, painted: 0, now });

  addEventListener("click", (event) => (probe.clicked = performance.timeOrigin + event.timeStamp), true);
  addEventListener("input", (event) => (probe.typed = performance.timeOrigin + event.timeStamp), true);

  const isVisible = (element) => {
    if (!element || element.getClientRects().length === 0 || getComputedStyle(element).visibility !== "visible") return false;
    for (let at = element; at; at = at.parentElement) if (Number(getComputedStyle(at).opacity) === 0) return false;
    return true;
  };

  /** Notes when the first frame was painted in which `condition` held. */
  const watch = (probe.watch = (condition) => {
    probe.painted = 0;
    const look = () => {
      if (!condition()) return requestAnimationFrame(look);
      // A message is delivered after the frame of this callback has been painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => (probe.painted = now());
      port2.postMessage(null);
    };
    requestAnimationFrame(look);
  });

  probe.watchElement = (selector) => watch(() => isVisible(document.querySelector(selector)));
  probe.watchText = (selector) => {
    const before = document.querySelector(selector).textContent;
    watch(() => document.querySelector(selector).textContent !== before);
  };
})();
