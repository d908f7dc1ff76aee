/**
 * Reads documents from files, of one or several, into one bundle, and says what is wrong with them, with file and line.
 *
 * @module
 */
export { bundle, bundleText, inOpenApi32, type BundleOptions } from "./bundle.ts";
export { compare } from "./canonical.ts";
export * from "./document.ts";
export { explain, explainRoot } from "./explain.ts";
export { Locator, type FileLocation } from "./locate.ts";
export { applyOverlay, missedActions, readOverlay, type OverlayAction } from "./overlay.ts";
export * from "./problem.ts";
export { readBundle } from "./read-bundle.ts";
export { readFile, type ReadOptions } from "./read-file.ts";
export { allProblems, redocly, warmRedocly, type Redocly } from "./redocly/command.ts";
export { parseFile, readSources, referencesIn, wholeOf, wholesIn } from "./references.ts";
export { referTo, renameComponents } from "./rename-components.ts";
export * from "./tree.ts";
