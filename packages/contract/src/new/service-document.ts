import type { JsonObject } from "../json.ts";
import type { Plan } from "./plan.ts";
import { toYaml } from "./yaml.ts";

/** The first entries of two lists, after which the operation's own entries are inserted. */
export const placeholder = { tag: "  - name: 0\n", path: "  /0: {}\n" };

/** Plans the document of a service without operations, and the errors that its operations share. */
export function planDocument(plan: Plan, name: string, title: string, description: string, basis: string): void {
  const folder = `openapi/${name}`;
  const address = `http://127.0.0.1:4010/${name}`;
  const variable = `${name}_base_url`;
  const document: JsonObject = {
    openapi: "3.1.0",
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    info: {
      title,
      summary: title,
      description,
      version: "1.0.0",
      "x-basis": basis,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      { url: address, description: "The mock or the local server on this machine." },
      {
        url: `{${variable}}`,
        // Some tools reject a variable with a description of its own.
        description:
          "The service at an address of your own: the address that the paths of this document are appended to, without a trailing slash.",
        variables: { [variable]: { default: address } },
      },
    ],
    security: [{ apiKey: [] }],
  };
  const components = { components: { securitySchemes: { apiKey: { $ref: "../common/security/apiKey.yaml" } } } };
  const lists = `tags:\n${placeholder.tag}paths:\n${placeholder.path}`;
  plan.create(`${folder}/openapi.yaml`, toYaml(document) + lists + toYaml(components));
  for (const [file, { examples, ...response }] of Object.entries(errors)) {
    const named: JsonObject = {};
    for (const [example, summary, detail] of examples) {
      named[example] = { $ref: `../examples/${example}.yaml` };
      plan.create(`${folder}/examples/${example}.yaml`, toYaml({ summary, value: { detail } }));
    }
    const schema = { $ref: "../../common/schemas/DetailError.yaml" };
    const content = { "application/json": { schema, examples: named } };
    const headers = Object.fromEntries(
      ["x-request-id", ...response.headers].map((header) => [header, { $ref: headerFiles[header] ?? "" }]),
    );
    plan.create(
      `${folder}/responses/${file}.yaml`,
      toYaml({ description: response.description, "x-basis": "adopted", headers, content }),
    );
  }
}

const headerFiles: Readonly<Record<string, string>> = {
  "x-request-id": "../../common/headers/RequestId.yaml",
  "WWW-Authenticate": "../../common/headers/WWWAuthenticate.yaml",
  "Retry-After": "../../common/headers/RetryAfter.yaml",
};

interface SharedError {
  readonly description: string;
  readonly headers: readonly string[];
  readonly examples: readonly (readonly [name: string, summary: string, detail: string])[];
}

/** The errors that operations of a service share. */
const errors: Readonly<Record<string, SharedError>> = {
  Unauthorized: {
    description: "The API key is missing or wrong. It is judged before the request is validated.",
    headers: ["WWW-Authenticate"],
    examples: [
      ["unauthorized-missing", "No key was sent", "Send an API key as Authorization: Bearer <API_KEY>."],
      ["unauthorized-wrong", "The key is not known", "The API key is not known."],
    ],
  },
  ContentTooLarge: {
    description: "The body is too large or nested too deeply.",
    headers: [],
    examples: [["content-too-large", "More bytes than are taken", "The body is larger than is taken."]],
  },
  TooManyRequests: {
    description: "Too many requests at once. The same request may be sent again after the seconds in `Retry-After`.",
    headers: ["Retry-After"],
    examples: [
      ["too-many-requests", "Too many requests under way", "The key has as many requests under way as it may have."],
    ],
  },
  InternalServerError: {
    description: "The service failed.",
    headers: [],
    examples: [
      ["internal-server-error", "A fault of the service", "The service failed. Quote x-request-id when you report it."],
    ],
  },
  ServiceUnavailable: {
    description: "The service is down or overloaded. The seconds in `Retry-After` say when to try again.",
    headers: ["Retry-After"],
    examples: [["service-unavailable", "The service is overloaded", "The service is overloaded. Try again shortly."]],
  },
};
