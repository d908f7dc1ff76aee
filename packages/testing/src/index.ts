/**
 * Values that fit a schema, and values that miss it in one place: what the tests of the mock and the local server send.
 *
 * @module
 */
export { arbitraryOf, type Fits } from "./arbitrary.ts";
export { judgeOf } from "./judge.ts";
export { applyMutation, mutationsOf, type Mutation } from "./mutations.ts";
