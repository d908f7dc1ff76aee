import {
  validatorOf,
  host,
  type Answer,
  type Api,
  type Call,
  type ExampleAnswer,
  type Host,
  type HostOptions,
} from "@trainyard/host";
import { mediaFor, readDocument, streamType, successesOf, type Document } from "@trainyard/document";
import { withChoices } from "./choices.ts";
import { chooseExample } from "./choose-example.ts";
import { missingExample } from "./missing-example.ts";
import { Plans } from "./plans.ts";
import { acceptedTypes, readPreference } from "./prefer.ts";
import { sampledChat } from "./sampled-chat.ts";

/** How a service validates requests. */
export interface ServiceOptions {
  /** The keys that are accepted. If omitted, every key is accepted. */
  readonly keys?: readonly string[] | undefined;
}

/** The user of basic authentication, where the key is the password, as the documents' scheme `basicKey` says. */
const basicUser = "api";

/** A document served by its examples, with the plans and recorded requests of tests. */
export class ExampleService {
  readonly document: Document;
  readonly plans: Plans;
  readonly api: Api;

  /** @param name its name in plans and hosts */
  constructor(name: string, root: object, { keys }: ServiceOptions) {
    this.document = readDocument(root);
    const { operations } = this.document;
    const plans = new Plans(operations, validatorOf(root));
    const answer = (call: Call) => plans.answer(call, always(call));
    this.plans = plans;
    this.api = {
      name,
      document: this.document,
      handlers: Object.fromEntries(operations.map((operation) => [operation.name, answer])),
      keys: ({ key, user = basicUser }) => {
        return keys === undefined || (keys.includes(key) && user === basicUser) ? "" : undefined;
      },
    };
  }
}

/** Serves services with one `fetch`. A document handles the paths below that of its first server. */
export function hostOf(services: readonly ExampleService[]): Host {
  const plans = new Map(services.map(({ api, plans: one }) => [api.name, one]));
  const faults: HostOptions["faults"] = { take: (arrival) => plans.get(arrival.document)?.take(arrival) };
  return host(
    services.map(({ api }) => api),
    { faults, limits: { bodyBytes: 128 * 2 ** 20 } },
  );
}

/** The response if no plan applies. */
function always(call: Call): Answer {
  const shown = byExample(call);
  const { status, example } = readPreference(call.headers);
  if (status !== undefined || example !== undefined) return shown;
  const missing = missingExample(call);
  if (missing !== undefined) return { example: { status: 404, example: missing } };
  const planned = sampledChat(call) ?? withChoices(call, shown);
  return planned === undefined ? shown : { planned, otherwise: shown };
}

/** Returns the example that the request prefers, else the one of a similar request. In a chat, `stream` says which media type. */
function byExample(call: Call): ExampleAnswer {
  const { headers, operation, body } = call;
  const { status, example } = readPreference(headers);
  const mediaType = operation.stream
    ? streamType(operation, body)
    : acceptedTypes(headers).find((type) =>
        successesOf(operation.responses).some(({ content }) => mediaFor(content, type) !== undefined),
      );
  const chosen =
    example ?? (status === undefined || status === 200 ? chooseExample(operation, mediaType, call) : undefined);
  return { example: { status, example: chosen, mediaType } };
}
