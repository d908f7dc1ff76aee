/** The comparison of the documents, for the other tools of this repository. */
export { type ServiceComparison, type DescribedChange, compareDocuments } from "./compare-documents.ts";
export type { Release } from "@trainyard/document";
export { type Fact, facts } from "./basis/fact.ts";
export { toDocument } from "./document.ts";
export { type Documents, readDocuments } from "./documents.ts";
export { idleAcceptances, linesToAccept, readAcceptances } from "./acceptance.ts";
export { deprecatedIn } from "./deprecation.ts";
export { Failure } from "./failure.ts";
export { extractDocuments, findRevision, git, lookForRevision, mergeBase } from "./git.ts";
export { touchedServices } from "./check.ts";
export type { Verdict } from "./verdict.ts";
export { goneServices, readReleased, releasedFile } from "./released.ts";
export { readReleases, tableFile } from "@trainyard/codegen/releases";
export type { VersionVerdict } from "./version.ts";
