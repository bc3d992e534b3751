// Tells the page that opened this window that it is back, and nothing else: the result is taken by the frame, from the server.
const told = (name) => document.querySelector(`meta[name="${name}"]`).content;
for (const origin of told("walletmodal-openers").split(" ")) {
  window.opener?.postMessage({ resultUri: told("walletmodal-result") }, origin);
}
window.close();
