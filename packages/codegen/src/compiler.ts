/** TypeScript 5, as a library: the newer compiler of a program has no interface in JavaScript. */
export { default } from "typescript";
