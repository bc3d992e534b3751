/** What the page asks the sandbox. */

/** A refusal: which field it is about, and why. */
export class Refusal extends Error {
  /** @param {string} field @param {string} description */
  constructor(field, description) {
    super(description);
    this.field = field;
  }
}

/** Networks, assets and currencies on sale. */
export const offer = () => asked("/pay/api/offer");

/**
 * What an amount buys, or what a quantity costs.
 * @param {Record<string, string>} query
 * @param {AbortSignal} signal
 */
export const quote = (query, signal) => asked(`/pay/api/quote?${new URLSearchParams(query)}`, { signal });

/** @param {object} order */
export const buy = (order) =>
  asked("/pay/api/purchases", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(order),
  });

/** @param {string} id */
export const purchase = (id) => asked(`/pay/api/purchases/${encodeURIComponent(id)}`);

/** @param {string} path @param {RequestInit} [how] */
async function asked(path, how) {
  const answer = await fetch(path, how).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Refusal("", "The sandbox does not answer. Try again.");
  });
  const body = await answer.json().catch(() => null);
  if (answer.ok && body !== null) return body;
  const reason = body?.reasons?.[0];
  throw new Refusal(String(reason?.field ?? ""), String(reason?.description ?? `The sandbox answered with ${answer.status}.`));
}
