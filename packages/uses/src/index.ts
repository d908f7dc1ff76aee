/**
 * Lists which operations and fields of the services a program uses, by TypeScript's own view of its calls.
 *
 * @module
 */
export { usesOf } from "./uses-of.ts";
export { ProjectError } from "./project.ts";
export type { Places, ServiceUses, Uses } from "./uses.ts";
