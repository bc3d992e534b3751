// A browser wallet of the bench (EIP-1193, EIP-6963) that approves everything at once.
(() => {
  const address = "0x90f8bf6a479f320ead074411a4b0e7944ea8c9c1";
  const listeners = new Map();
  // As a browser's wallet does, it remembers over a reload whom its owner has let in.
  const KEPT = "bench wallet approved";
  let approved = sessionStorage.getItem(KEPT) !== null;
  const approve = () => {
    approved = true;
    sessionStorage.setItem(KEPT, "");
  };

  const answers = {
    eth_requestAccounts: () => (approve(), [address]),
    eth_accounts: () => (approved ? [address] : []),
    eth_chainId: () => "0x1",
    net_version: () => "1",
    wallet_getPermissions: () => (approved ? [{ parentCapability: "eth_accounts" }] : []),
    wallet_requestPermissions: () => (approve(), [{ parentCapability: "eth_accounts" }]),
    wallet_revokePermissions: () => ((approved = false), null),
  };

  const provider = Object.freeze({
    async request({ method }) {
      if (Object.hasOwn(answers, method)) return answers[method]();
      throw Object.assign(new Error(`The bench's wallet does not know ${method}`), { code: 4200 });
    },
    on: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    removeListener: (event, listener) =>
      listeners.set(event, (listeners.get(event) ?? []).filter((other) => other !== listener)),
  });

  const info = Object.freeze({
    uuid: "6f1d1a52-6a0e-4c39-9c59-2d5a4d0c8a11",
    name: "Bench Wallet",
    rdns: "test.bench.wallet",
    icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 8 8'%3E%3Crect width='8' height='8' fill='%23678'/%3E%3C/svg%3E",
  });
  const detail = Object.freeze({ info, provider });
  const announce = () => dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  addEventListener("eip6963:requestProvider", announce);
  announce();
})();
