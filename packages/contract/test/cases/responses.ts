import { type Case, casesOf } from "./case.ts";

export const responses: readonly Case[] = casesOf(`
training: a second success status is added | breaking result-added models.create › 202 read
  set models.create/responses/202 {description: Later.}
training: an error is added | additive error-added models.create › 402 error
  set models.create/responses/402 {description: Pay.}
training: an error is removed | warning error-removed models.delete › 404 error
  remove models.delete/responses/404
training: a response is removed | breaking response-removed models.delete › 200 read
  remove models.delete/responses/200
inference: a link is added | additive link-added models.list › 200 read
  set models.list/responses/200/links {chat: {operationId: chat}}
training: a header is added | additive header-added models.create › 200 › header x-cost read
  set models.create/responses/200/headers/x-cost {schema: {type: number}}
training: a header is removed | breaking header-removed response TooManyRequests › header Retry-After error
  remove /components/responses/TooManyRequests/headers/Retry-After
training: a header becomes optional | breaking header-optional header RequestId read error
  remove /components/headers/RequestId/required
training: the schema of a header accepts more | breaking limit-loosened header RetryAfter error
  set /components/headers/RetryAfter/schema/maximum 600
inference: a media type of a response is added | additive media-type-added models.list › 200 read
  set models.list/responses/200/content/text~1csv {schema: {type: string}}
inference: a media type of a response is removed | breaking media-type-removed chat.completions.create › 200 read
  remove chat.completions.create/responses/200/content/text~1event-stream
training: authentication is added | breaking security-added health.check call
  remove health.check/security
auxiliary: an alternative security scheme is removed | breaking security-narrowed feedback.stats call
  remove feedback.stats/security/1
auxiliary: a second credential is required | breaking security-narrowed hardware.list call
  set hardware.list/security/0/apiKey []
auxiliary: an alternative security scheme is added | additive security-widened hardware.list call
  add hardware.list/security {apiKey: []}
auxiliary: authentication is removed | additive security-widened hardware.list call
  set hardware.list/security []
training: the scheme of a credential changes | breaking security-scheme-changed security scheme apiKey call
  set /components/securitySchemes/apiKey/scheme basic
`);
