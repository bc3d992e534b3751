// For the figure of the account: when its tokens came over the socket.
(() => {
  const tokens = (window.__tokens = { data: 0 });
  const Original = window.WebSocket;
  window.WebSocket = class extends Original {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", ({ data, timeStamp }) => {
        if (!tokens.data && typeof data === "string" && data.includes('"TKN199"')) tokens.data = performance.timeOrigin + timeStamp;
      });
    }
  };
})();
