/** One wallet runs at a time: two pages with the same keys would take each other's mail. */

const LOCK = "sandbox-phone";

/**
 * Become the page that runs the wallet; another one that did is told so.
 *
 * Args:
 *   lost: called when a later page takes over.
 */
export async function takeOver(lost: () => void): Promise<void> {
  await new Promise<void>((taken) => {
    navigator.locks
      .request(LOCK, { steal: true }, () => {
        taken();
        return new Promise(() => {});
      })
      .catch(lost);
  });
}
