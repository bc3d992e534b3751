/** Ways to be a bad wallet, on demand, between the page and the honest provider. */

/**
 * `hang` never answers; `throw` fails with a value, whatever it is; `answer` answers with a value, whatever it is;
 * `twice` gives the honest answer and then another one; `plain` returns the value itself where a promise is due;
 * `trap` fails with an error whose every property throws; `alter` does honestly what was not asked: with other fields in its first parameter.
 */
export type Misdeed =
  | { kind: "hang" }
  | { kind: "throw"; value?: unknown }
  | { kind: "answer"; value?: unknown }
  | { kind: "plain"; value?: unknown }
  | { kind: "twice"; value?: unknown }
  | { kind: "trap" }
  | { kind: "alter"; value?: unknown };

type Request = (args: { method: string; params?: unknown }) => Promise<unknown>;
type Provider = { request: Request; emit(event: string, ...values: unknown[]): boolean };

export class Mischief {
  private readonly counted = new Map<string, number>();

  /** Puts itself in front of `provider.request`; `planned` outlives the page, so that a page meets a bad wallet from its start. */
  constructor(
    private readonly provider: Provider,
    private readonly planned: { read(): Record<string, Misdeed>; write(misdeeds: Record<string, Misdeed>): void },
  ) {
    const honest = provider.request.bind(provider) as Request;
    provider.request = ((args: Parameters<Request>[0]) => {
      this.counted.set(args.method, this.calls(args.method) + 1);
      const misdeeds = this.planned.read();
      const misdeed = misdeeds[args.method] ?? misdeeds["*"];
      return misdeed ? commit(misdeed, () => honest(misdeed.kind === "alter" ? altered(args, misdeed.value) : args)) : honest(args);
    }) as Request;
  }

  /** Plans a misdeed for each later call of `method` (`*`: of any). */
  plan(method: string, misdeed: Misdeed): void {
    this.planned.write({ ...this.planned.read(), [method]: misdeed });
  }

  repent(): void {
    this.planned.write({});
  }

  /** How often the page called `method`. */
  calls(method: string): number {
    return this.counted.get(method) ?? 0;
  }

  /** Emits an event of the provider `times` times, whatever its value. */
  flood(event: string, value: unknown, times: number): void {
    for (let n = 0; n < times; n++) this.provider.emit(event, value);
  }
}

function altered({ method, params }: Parameters<Request>[0], fields: unknown): Parameters<Request>[0] {
  const [first, ...rest] = params as [object, ...unknown[]];
  return { method, params: [{ ...first, ...(fields as object) }, ...rest] };
}

function commit(misdeed: Misdeed, honest: () => Promise<unknown>): Promise<unknown> {
  switch (misdeed.kind) {
    case "hang":
      return new Promise(() => {});
    case "throw":
      return Promise.reject(misdeed.value);
    case "answer":
      return Promise.resolve(misdeed.value);
    case "plain":
      return misdeed.value as Promise<unknown>;
    case "alter":
      return honest();
    case "twice":
      return twice(honest(), misdeed.value);
    case "trap":
      return Promise.reject(
        new Proxy(
          {},
          {
            get() {
              throw new Error("a trap");
            },
          },
        ),
      );
  }
}

/** A promise of the wallet's own making: it calls back with the first answer and then with the second. */
function twice(first: Promise<unknown>, second: unknown): Promise<unknown> {
  const liar = {
    then(resolve: (value: unknown) => void, reject: (reason: unknown) => void) {
      first.then((value) => {
        resolve(value);
        resolve(second);
        reject(second);
      }, reject);
    },
  };
  return liar as unknown as Promise<unknown>;
}
