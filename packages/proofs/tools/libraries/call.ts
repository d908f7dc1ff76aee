/** The target of a library's calls, and what the library must find there. */
export interface Target {
  readonly service: "inference" | "training";
  /** The address that people pass to a chat library; it ends in `/v1`. */
  readonly baseURL: string;
  readonly apiKey: string;
  readonly model: string;
  /** Sends, and records the requests. */
  readonly fetch: typeof globalThis.fetch;
}

/** Calls as a program makes them, by name. Each throws if the result is not what the library promises. */
export type Calls = Readonly<Record<string, (target: Target) => Promise<void>>>;

/** Fails a call if a condition is not met. */
export function must(holds: unknown, what: string): asserts holds {
  if (!holds) throw new Error(`Expected ${what}.`);
}

/** The rejection of a promise. */
export async function failure(promise: PromiseLike<unknown>): Promise<unknown> {
  return Promise.resolve(promise).then(
    () => {
      throw new Error("The call was expected to fail.");
    },
    (error: unknown) => error,
  );
}

export const system = "You help the travelers of a railway. Answer in one sentence.";
export const question = "When does the next train leave Voss?";
export const messages: [{ role: "system"; content: string }, { role: "user"; content: string }] = [
  { role: "system", content: system },
  { role: "user", content: question },
];

/** The tool of the documents' examples, which a mock can call. */
export const parameters = {
  type: "object" as const,
  properties: { station: { type: "string" as const }, limit: { type: "integer" as const } },
  required: ["station"],
};
export const departures = {
  type: "function" as const,
  function: { name: "next_departures", description: "Lists the next departures of a station.", parameters },
};
export const departed = { departures: [{ to: "Bergen", at: "09:31", track: 2 }] };
