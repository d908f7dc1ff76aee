/**
 * Holds live services against their documents. `verify` reads, sends what must be refused, and goes through flows where it may
 * write; what it finds names the place in the document.
 *
 * @module
 */
export { fromEnvironment, type LiveService } from "./service.ts";
export type { Sent } from "./request.ts";
export { curlOf } from "./curl.ts";
export type { Certainty, Finding } from "./verify/finding.ts";
export type { Flow } from "./verify/flows.ts";
export { flows } from "./verify/own-flows.ts";
export { verify, type Verification, type VerifyOptions } from "./verify/verify.ts";
export { allOperations, callName, type Found } from "./call/find.ts";
export { exampleOf } from "./call/help.ts";
