/** What the frame keeps on this device: IndexedDB, or memory for the page's life where the browser denies storage. */

export interface Store {
  get(key: string): Promise<unknown>;
  /** Puts a value; `durable`: fulfilled only once the disk has it, not the operating system alone. */
  put(key: string, value: unknown, durable?: boolean): Promise<void>;
  delete(key: string): Promise<void>;
  /** Puts a value where there is none; what is kept then, in one transaction: of two tabs, both get that of the first. A durable put that follows has the disk take it too. */
  add(key: string, value: unknown): Promise<unknown>;
}

const DATABASE = "walletmodal-secure";
const TABLE = "kept";

export class MemoryStore implements Store {
  readonly #kept = new Map<string, unknown>();

  async get(key: string): Promise<unknown> {
    return this.#kept.get(key);
  }

  async put(key: string, value: unknown): Promise<void> {
    this.#kept.set(key, value);
  }

  async delete(key: string): Promise<void> {
    this.#kept.delete(key);
  }

  async add(key: string, value: unknown): Promise<unknown> {
    if (!this.#kept.has(key)) this.#kept.set(key, value);
    return this.#kept.get(key);
  }
}

class IndexedStore implements Store {
  readonly #database: IDBDatabase;

  constructor(database: IDBDatabase) {
    this.#database = database;
    // A newer version of the page, in another tab, must not wait for this one.
    database.onversionchange = () => database.close();
  }

  #run<T>(mode: IDBTransactionMode, work: (table: IDBObjectStore, give: (value: T) => void) => void, durable = false): Promise<T> {
    return new Promise((resolve, reject) => {
      const transaction = this.#database.transaction(TABLE, mode, { durability: durable ? "strict" : "relaxed" });
      let given: T;
      transaction.oncomplete = () => resolve(given);
      // Whatever fails in it ends with this, and with its reason.
      transaction.onabort = () => reject(transaction.error);
      work(transaction.objectStore(TABLE), (value) => (given = value));
    });
  }

  get(key: string): Promise<unknown> {
    return this.#run("readonly", (table, give) => {
      const found = table.get(key);
      found.onsuccess = () => give(found.result);
    });
  }

  put(key: string, value: unknown, durable?: boolean): Promise<void> {
    return this.#run("readwrite", (table) => void table.put(value, key), durable);
  }

  delete(key: string): Promise<void> {
    return this.#run("readwrite", (table) => void table.delete(key));
  }

  add(key: string, value: unknown): Promise<unknown> {
    return this.#run("readwrite", (table, give) => {
      const found = table.get(key);
      found.onsuccess = () => {
        if (found.result === undefined) table.put(value, key);
        give(found.result ?? value);
      };
    });
  }
}

/** Opens the store of this origin in this partition. */
export function openStore(): Promise<Store> {
  return new Promise((resolve) => {
    const denied = () => resolve(new MemoryStore());
    try {
      const opening = indexedDB.open(DATABASE, 1);
      opening.onupgradeneeded = () => void opening.result.createObjectStore(TABLE);
      opening.onsuccess = () => {
        const store = new IndexedStore(opening.result);
        // Some browsers open a store and refuse to read it.
        store.get("device").then(() => resolve(store), denied);
      };
      opening.onerror = opening.onblocked = denied;
    } catch {
      denied();
    }
  });
}
