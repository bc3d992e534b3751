// The page's part of the sign-in: the modal gives it a token, which it hands to its own server.

const modal = WalletModal.create({
  networks: ["eip155:1", "eip155:137"],
  siwx: { required: true, statement: "Sign in to the Harbour Club." },
  themeMode: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
});
window.modal = modal;

async function signIn() {
  // Whoever is signed in already gets a fresh token at once; everybody else is asked by the modal.
  const session = (await modal.getSession()) ?? (await modal.signIn());
  await tell("POST", { Authorization: `Bearer ${session.token}` });
  location.assign("/members");
}

async function signOut() {
  await tell("DELETE");
  await modal.signOut();
  // Else the modal asks at once whether the account that is still connected signs in again.
  await modal.disconnect();
  location.assign("/");
}

async function tell(method, headers = {}) {
  const answer = await fetch("/session", { method, headers });
  if (!answer.ok) throw new Error(`The server answered with ${answer.status}. Please try again.`);
}

function onClick(selector, work) {
  for (const button of document.querySelectorAll(selector)) {
    button.addEventListener("click", async () => {
      const problem = document.getElementById("problem");
      problem.textContent = "";
      button.disabled = true;
      try {
        await work();
      } catch (error) {
        // 4001: the visitor has changed their mind.
        problem.textContent = error.code === 4001 ? "You are not signed in." : error.message;
      } finally {
        button.disabled = false;
      }
    });
  }
}

onClick("[data-sign-in]", signIn);
onClick("[data-sign-out]", signOut);
