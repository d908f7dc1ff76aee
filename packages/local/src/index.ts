/**
 * A typed client of the control interface of the local server: imports, planned faults, the clock, logs, a fresh start.
 *
 * @module
 */
export * from "@trainyard/core";
export * from "./generated/client.ts";
export type * from "./generated/schema.ts";
