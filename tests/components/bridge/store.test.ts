import { expect, it } from "vitest";
import { watch, type Store } from "../../../components/bridge/store";

/** A store as the compiled pages have it: who has subscribed to a state is called as soon as that one has changed. */
class States implements Store {
  readonly dispatchers: Record<string, (value: number) => void> = {};
  readonly #values: Record<string, number> = {};
  readonly #listeners = new Map<string, Set<() => void>>();

  constructor(...names: string[]) {
    for (const name of names) {
      this.dispatchers[name] = (value) => {
        this.#values[name] = value;
        this.#listeners.get(name)?.forEach((changed) => changed());
      };
    }
  }

  getSnapshot(name: string): number | undefined {
    return this.#values[name];
  }

  subscribe(name: string, changed: () => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, listeners.add(changed));
    return () => void listeners.delete(changed);
  }

  /** The server says something. */
  hear(values: Record<string, number>): void {
    for (const [name, value] of Object.entries(values)) this.dispatchers[name]!(value);
  }
}

it("what the server says is looked at once, as a whole, before a component draws it", async () => {
  const states = new States("first", "second");
  const done: unknown[] = [];
  watch(states, () => done.push(["seen", states.getSnapshot("first"), states.getSnapshot("second")]));
  // As React does it: a component that subscribes is drawn in a microtask.
  states.subscribe("first", () => queueMicrotask(() => done.push("drawn")));
  states.hear({ first: 1, second: 2 });
  await Promise.resolve();
  expect(done).toEqual([["seen", 1, 2], "drawn"]);
});

it("what it says next is looked at too, until nobody wants to", async () => {
  const states = new States("first");
  const seen: unknown[] = [];
  const end = watch(states, () => seen.push(states.getSnapshot("first")));
  for (const first of [1, 2]) {
    states.hear({ first });
    await Promise.resolve();
  }
  end();
  states.hear({ first: 3 });
  await Promise.resolve();
  expect(seen).toEqual([1, 2]);
});
