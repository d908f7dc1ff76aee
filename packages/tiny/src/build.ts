/**
 * The base model, for builds that need it.
 *
 * @module
 */
export { loadBase } from "./base/base-model.ts";
