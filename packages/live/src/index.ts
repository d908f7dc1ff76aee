/**
 * Checks live services against their documents. `verify` reads data, sends requests that must be rejected, and runs
 * flows if it may write. Each finding names its place in the document.
 *
 * @module
 */
export { bodyMedia, curlOf, requestOf, writeParameters, type Sent } from "./request.ts";
export type { Certainty, Finding } from "./verify/findings.ts";
export { ruleCheck } from "./verify/rules/rules.ts";
export { flows, type Flow } from "./verify/flows.ts";
export type { VerifyOptions } from "./verify/run.ts";
export { verify, type Verification } from "./verify/verify.ts";
export { allOperations, callName, contractIn, flagsFor } from "./contract.ts";
export type { Contract, Found, LiveService } from "./contract.ts";
export { ownFlags } from "./call/arguments.ts";
export { fillFields } from "./call/fields.ts";
export { exampleOf, fieldsOf, type Field } from "./call/help.ts";
export { contracts } from "./terminal.ts";
