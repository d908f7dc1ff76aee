import { type Row, rowsOf } from "./row.ts";

/** Authentication. */
export const credentials: readonly Row[] = [
  ...rowsOf(`
training: two operations repeat the security of the document | neutral | The meaning is the same.
  set models.create/security [{apiKey: []}]
  set models.log/security [{apiKey: []}]
auxiliary: the order of the security requirements changes | neutral | The order has no meaning.
  reverse feedback.stats/security
auxiliary: a security scheme is renamed | neutral | The credential is sent as before.
  rename /components/securitySchemes/accessToken token
  set hardware.list/security [{token: []}]
auxiliary: a security scheme is renamed, and is another one | breaking | The credential is sent in another way.
  rename /components/securitySchemes/accessToken token
  set /components/securitySchemes/token {type: apiKey, in: header, name: X-Key}
  set hardware.list/security [{token: []}]
document: the header of a credential is renamed | breaking | The credential is sent in another way.
  {security: [{key: []}], paths: {/v1/run: {post: {responses: {"200": {description: Done.}}}}},
    components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}}
  → {security: [{key: []}], paths: {/v1/run: {post: {responses: {"200": {description: Done.}}}}},
    components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Token}}}}
`),
];
