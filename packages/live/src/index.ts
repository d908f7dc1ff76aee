/**
 * Checks live services against their documents. `verify` reads data, sends requests that must be rejected, and runs
 * flows if it may write. Each finding names its place in the document.
 *
 * @module
 */
export { fromEnvironment, type LiveService } from "./service.ts";
export type { Sent } from "./request.ts";
export { curlOf } from "./curl.ts";
export type { Certainty, Finding } from "./verify/finding.ts";
export type { Flow } from "./verify/flows.ts";
export { ruleCheck } from "./verify/rules/rule-check.ts";
export { flows } from "./verify/own-flows.ts";
export { verify, type Verification, type VerifyOptions } from "./verify/verify.ts";
export { allOperations, callName, type Found } from "./call/find.ts";
export { exampleOf } from "./call/help.ts";
