// For the figure of a reload: notes when the host's button shows the account, from the page's very beginning.
if (window.top === window) {
  __probe.watch(() => {
    const button = document.querySelector("wallet-modal-button")?.shadowRoot?.querySelector('[data-testid="account-button"]');
    return button && button.title && button.getClientRects().length > 0;
  });
}
