/**
 * Inputs for the tests of the mock and the local server: values that are valid under a schema, values that are invalid in
 * one place, and the flows of the guides.
 *
 * @module
 */
export { anyString, arbitraryOf, type Fits } from "./arbitrary.ts";
export { judgeOf } from "./judge.ts";
export { applyMutation, mutationsOf, type Mutation } from "./mutations.ts";
export { MetFaults } from "./met-faults.ts";
export { tries } from "./tries.ts";
export { wrongLists } from "./wrong-lists.ts";
export * from "./recorded.ts";
