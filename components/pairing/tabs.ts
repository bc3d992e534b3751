/** What the frames of a host's other tabs hear of this one: they hold the same sessions, and the phone tells only of ends that it has made itself. */

const CHANNEL = "walletmodal:pairing";
const TOPIC = /^[\da-f]{64}$/;

/** None where the browser keeps frames of other sites apart from everything. */
const channel = (() => {
  try {
    return new BroadcastChannel(CHANNEL);
  } catch {
    return null;
  }
})();

/** Says that a session was ended here, or that another one has taken its place. */
export function tellEnded(topic: string): void {
  channel?.postMessage({ ended: topic });
}

/** Has `end` called with the topic of each session that another tab has ended. */
export function hearEnded(end: (topic: string) => void): void {
  channel?.addEventListener("message", ({ data }: MessageEvent<{ ended?: unknown } | null>) => {
    const topic = data?.ended;
    if (typeof topic === "string" && TOPIC.test(topic)) end(topic);
  });
}
