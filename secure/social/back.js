// Leads back to the page that has made room for the login. Else tells the page that opened this window that it is back, and nothing else:
// the result is taken by the frame, from the server.
const told = (name) => document.querySelector(`meta[name="walletmodal-${name}"]`).content;
if (told("back")) location.replace(told("back"));
else {
  for (const origin of told("openers").split(" ")) window.opener?.postMessage({ resultUri: told("result") }, origin);
  window.close();
}
