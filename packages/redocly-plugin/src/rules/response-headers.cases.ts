import { operation, operationOf, type Cases, type Failure } from "../cases.ts";

const answering = (status: string, headers: readonly string[]): ReturnType<typeof operationOf> =>
  operationOf({
    responses: {
      [status]: {
        description: "An answer.",
        headers: Object.fromEntries(headers.map((name) => [name, { schema: { type: "string" } }])),
      },
    },
  });

function without(status: string, header: string, headers: readonly string[]): Failure {
  return {
    document: answering(status, headers),
    says: `A response of status ${status} carries \`${header}\`. Add it to \`headers\`.`,
    at: `${operation}/responses/${status}`,
  };
}

export const cases: Cases = {
  pass: {
    "a success": { document: answering("200", ["X-Request-ID"]) },
    "a refusal for now": { document: answering("429", ["x-request-id", "Retry-After"]) },
    "a refusal for want of a key": { document: answering("401", ["x-request-id", "WWW-Authenticate"]) },
  },
  fail: {
    "a success that cannot be named": without("200", "x-request-id", []),
    "429 without a time": without("429", "Retry-After", ["x-request-id"]),
    "503 without a time": without("503", "Retry-After", ["x-request-id"]),
    "401 without a scheme": without("401", "WWW-Authenticate", ["x-request-id"]),
    "a shared response, once for two operations": {
      document: {
        ...operationOf({}),
        paths: Object.fromEntries(
          ["/one", "/two"].map((path) => [path, { get: { responses: { "200": { $ref: "Ok.yaml" } } } }]),
        ),
      },
      files: { "Ok.yaml": { description: "Fine." } },
      says: "A response of status 200 carries `x-request-id`. Add it to `headers`.",
      at: "#/",
      file: "Ok.yaml",
    },
  },
};
