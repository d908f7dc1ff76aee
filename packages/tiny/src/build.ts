/**
 * The base model: for what is made of it beforehand.
 *
 * @module
 */
export { loadBase } from "./base/base-model.ts";
