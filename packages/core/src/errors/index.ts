export * from "./api-error.ts";
export type { Issue } from "./response.ts";
export { ContractError, type SchemaIssue } from "./contract-error.ts";
export * from "./failures.ts";
export { type ErrorJson, TrainyardError } from "./trainyard-error.ts";
