/**
 * Lists which operations and fields of the services a program uses, according to the TypeScript compiler.
 *
 * @module
 */
export { usesOf } from "./uses-of.ts";
export { ProjectError } from "./project.ts";
export type { Locations, ServiceUses, Uses } from "./uses.ts";
