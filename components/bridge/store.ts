/** The states that the server keeps, as the compiled pages have them in the browser. */
export interface Store {
  dispatchers: Record<string, unknown>;
  getSnapshot(name: string): unknown;
  subscribe(name: string, changed: () => void): () => void;
}

/**
 * Calls `look` after each of the server's messages, once all is there that it changes, and before a component is drawn with it that has subscribed
 * later. Returns what ends that.
 */
export function watch(store: Store, look: () => void): () => void {
  let due = false;
  const soon = (): void => {
    if (due) return;
    due = true;
    queueMicrotask(() => {
      due = false;
      look();
    });
  };
  const ends = Object.keys(store.dispatchers).map((name) => store.subscribe(name, soon));
  return () => ends.forEach((end) => end());
}
