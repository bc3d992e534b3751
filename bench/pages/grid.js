// For the figures of the wallet grid: when its first page came over the socket, and how far apart its frames were.
(() => {
  const grid = (window.__grid = { data: 0 });
  const FIRST_PAGE = /"list":\s*\d+,\s*"number":\s*1,/;

  const Original = window.WebSocket;
  window.WebSocket = class extends Original {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data, timeStamp }) => {
        if (typeof data === "string" && FIRST_PAGE.test(data)) grid.data = performance.timeOrigin + timeStamp;
      });
    }
  };

  let recorded = null;
  grid.record = () => {
    const gaps = (recorded = []);
    let last = 0;
    const tick = (began) => {
      if (recorded !== gaps) return;
      if (last) gaps.push(began - last);
      last = began;
      requestAnimationFrame(tick);
    };
    requestAnimationFrame(tick);
  };
  /** The milliseconds from each frame to the next since `record`. */
  grid.stop = () => {
    const gaps = recorded;
    recorded = null;
    return gaps;
  };
  grid.began = (selector) => document.querySelector(selector).scrollTop < 1;
  grid.ended = (selector) => {
    const list = document.querySelector(selector);
    const rest = list.scrollHeight - list.clientHeight - list.scrollTop;
    return rest < 1 && !list.querySelector("[data-skeleton]");
  };
})();
