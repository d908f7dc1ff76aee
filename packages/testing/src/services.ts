/**
 * The services, as their packages export them: documents, operations, and clients whose methods are called according to
 * their document. They are discovered, so that a new service or operation is tested without a change here.
 *
 * @module
 */
export * from "./documents.ts";
export { errorClass } from "./error-class.ts";
export { all, byPath, isPage, isStream, methodOf, streaming, type Method } from "./methods.ts";
export { answerGuard, packages, type ServicePackage } from "./packages.ts";
