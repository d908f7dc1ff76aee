/**
 * The services as their packages have them: documents, operations, and clients whose methods are called by what their
 * document says. They are found, not named, so that a new service or operation is tested without a word here.
 *
 * @module
 */
export {
  answerSchema,
  bodyExamples,
  bodySchema,
  cases,
  examplesOf,
  methodCases,
  statusesOf,
  type Case,
} from "./documents.ts";
export { errorClass } from "./error-class.ts";
export { all, byPath, isPage, isStream, methodOf, streaming, type Method } from "./methods.ts";
export { answerGuard, packages, type ServicePackage } from "./packages.ts";
