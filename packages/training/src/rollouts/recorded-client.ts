import type { Recorder } from "./recorder.ts";

/** A client whose chat completions can be recorded: of this project, of the `openai` package, or any with this shape. */
export interface ChatClient {
  readonly chat: { readonly completions: { create(...args: never[]): PromiseLike<unknown> } };
}

/** A client that does the same, and reports its chat completions to the recorder. */
export function recordedClient<Client extends ChatClient>(client: Client, recorder: Recorder): Client {
  const { chat } = client;
  const { completions } = chat;
  const create = (...args: never[]): PromiseLike<unknown> => {
    const keep = recorder.request(args[0]);
    return seen(completions.create(...args), keep);
  };
  const recorded: Client = new Proxy(
    over(client, { chat: over(chat, { completions: over(completions, { create }) }) }),
    {
      // Methods of the client itself may need its private fields, which only the original has.
      get: (target, name) => {
        if (Object.hasOwn(target, name)) return Reflect.get(target, name);
        const value: unknown = Reflect.get(client, name);
        return typeof value === "function" ? value.bind(client) : value;
      },
    },
  );
  // The helpers of the `openai` package (`parse`, `stream`, `runTools`) send requests with the client at this property.
  if ("_client" in completions) Object.assign(recorded.chat.completions, { _client: recorded });
  return recorded;
}

/** An object whose own members override those of another. */
function over<Base extends object>(base: Base, members: { [name: string]: unknown }): Base {
  return Object.assign(Object.create(base), members);
}

/** Passes a response to the recorder before the caller gets it. */
function seen(answer: PromiseLike<unknown>, keep: (answer: unknown) => void): PromiseLike<unknown> {
  // The promise of the `openai` package decodes its response each time it is unwrapped, which works only once, so
  // the recorder must read it while it is unwrapped.
  if ("_thenUnwrap" in answer && typeof answer._thenUnwrap === "function")
    return answer._thenUnwrap((value: unknown) => {
      keep(value);
      return value;
    });
  answer.then(keep, () => {});
  return answer;
}
