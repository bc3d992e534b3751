/** What the wallet's owner is asked, and the answers of the test in their place. */
import { providerErrors } from "@metamask/rpc-errors";

/** `ask`: each question waits for the test; the others answer at once. */
export type Mode = "ask" | "approve" | "reject";

export type Question = { id: number; method: string; params: unknown };

type Open = Question & { settle: (error?: unknown) => void };

export class Approvals {
  readonly log: Question[] = [];
  private readonly open = new Map<number, Open>();

  constructor(public mode: Mode) {}

  /** Resolves when the owner agrees; rejects with 4001 when not. */
  ask(method: string, params: unknown): Promise<void> {
    const question = { id: this.log.length + 1, method, params };
    this.log.push(question);
    if (this.mode === "approve") return Promise.resolve();
    if (this.mode === "reject") return Promise.reject(refusal());
    return new Promise((resolve, reject) => {
      this.open.set(question.id, { ...question, settle: (error) => (error === undefined ? resolve() : reject(error)) });
    });
  }

  pending(): Question[] {
    return [...this.open.values()].map(({ id, method, params }) => ({ id, method, params }));
  }

  approve(id?: number): void {
    this.take(id).settle();
  }

  reject(id?: number): void {
    this.take(id).settle(refusal());
  }

  /** The oldest open question, or the one that was named. */
  private take(id = this.open.keys().next().value): Open {
    const question = id === undefined ? undefined : this.open.get(id);
    if (!question) throw new Error(`nothing to answer${id === undefined ? "" : `: no question ${id}`}`);
    this.open.delete(question.id);
    return question;
  }
}

const refusal = () => providerErrors.userRejectedRequest({ message: "User rejected the request." });
