/** What the wallet asks its owner. */

/** One question. */
export interface Question {
  readonly title: string;
  /** The label of the button that agrees. */
  readonly agree: string;
  /** Label and value of each fact. */
  readonly facts: readonly (readonly [string, string])[];
  /** What agreeing means. */
  readonly note?: string;
  /** A longer text from the page, shown as it is. */
  readonly detail?: string;
  /** Said with emphasis. */
  readonly warning?: string;
}

export function askConnect(accounts: readonly (readonly [string, string])[]): Question {
  return {
    title: "Connect this site?",
    agree: "Connect",
    facts: [["Site", location.origin], ...accounts],
    note: "The site will see the account's address, balance and activity. It can ask for signatures; you decide on each.",
  };
}

export function askMessage(account: string, message: Uint8Array, more: Question["facts"] = []): Question {
  return { title: "Sign this message?", agree: "Sign", facts: [["Account", account], ...more], detail: readable(message) };
}

/** Text where the bytes are text, the bytes themselves where they are not. */
function readable(message: Uint8Array): string {
  try {
    const decoded = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(message);
    // Control and direction characters could make a text look like another one.
    return decoded.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, "\ufffd");
  } catch {
    return `0x${[...message].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }
}
