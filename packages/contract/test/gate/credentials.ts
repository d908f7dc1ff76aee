import { type Row, between, real, rowsOf } from "./row.ts";

/** Authentication. */
export const credentials: readonly Row[] = [
  ...rowsOf(`
training: a credential becomes required | breaking | Calls without it are rejected.
  remove health.check/security
training: a credential becomes optional | additive | Every credential that was accepted is still accepted.
  set trainingJobs.get/security []
training: two operations repeat the security of the document | neutral | The meaning is the same.
  set models.create/security [{apiKey: []}]
  set models.log/security [{apiKey: []}]
`),
  real(
    "the order of the security requirements changes",
    "auxiliary",
    (draft) => draft.list("feedback.stats/security").reverse(),
    "neutral",
    "The order has no meaning.",
  ),
  real(
    "a security scheme is renamed",
    "auxiliary",
    (draft) => {
      const schemes = draft.object("/components/securitySchemes");
      schemes["token"] = schemes["accessToken"] ?? {};
      delete schemes["accessToken"];
      draft.set("hardware.list/security", [{ token: [] }]);
    },
    "neutral or warning or breaking",
    "The credential is sent as before.",
  ),
  between(
    "the header of a credential is renamed",
    {
      root: {
        security: [{ key: [] }],
        components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } },
      },
      operation: { requestBody: { content: {} }, responses: { "200": { description: "Done." } } },
    },
    {
      root: {
        security: [{ key: [] }],
        components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Token" } } },
      },
      operation: { requestBody: { content: {} }, responses: { "200": { description: "Done." } } },
    },
    "breaking",
    "The credential is sent in another way.",
  ),
];
