import { answers } from "./answers.ts";
import { openSets } from "./open-sets.ts";
import { operations } from "./operations.ts";
import { requests } from "./requests.ts";
import type { Row } from "./row.ts";

/** Changes of the contract with the verdict of a careful review. */
export const rows: readonly Row[] = [...answers, ...requests, ...operations, ...openSets];
