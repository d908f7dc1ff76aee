import { answerFields } from "./answer-fields.ts";
import { answerValues } from "./answer-values.ts";
import { credentials } from "./credentials.ts";
import { exchanges } from "./exchanges.ts";
import { extensions } from "./extensions.ts";
import { keywords } from "./keywords.ts";
import { meaning } from "./meaning.ts";
import { openSets } from "./open-sets.ts";
import { operations } from "./operations.ts";
import { parameters } from "./parameters.ts";
import { requestFields } from "./request-fields.ts";
import { requestNumbers } from "./request-numbers.ts";
import { requestValues } from "./request-values.ts";
import { responses } from "./responses.ts";
import { sameMeaning } from "./same-meaning.ts";
import { servers } from "./servers.ts";
import { severalPlaces } from "./several-places.ts";
import { surroundings } from "./surroundings.ts";
import type { Row } from "./row.ts";
import type { Change } from "../../src/change.ts";
import { compare } from "../../src/compare/service.ts";

/** Changes of each kind, with the verdicts that the gate must give. `pnpm bench gate` gives them to other tools, too. */
export const lists: Readonly<Record<string, readonly Row[]>> = {
  "Changes as they occur": [
    ...answerFields,
    ...answerValues,
    ...responses,
    ...requestFields,
    ...requestValues,
    ...requestNumbers,
    ...operations,
    ...parameters,
    ...credentials,
    ...servers,
    ...extensions,
    ...openSets,
  ],
  "Changes that aim at weak places": [
    ...meaning,
    ...exchanges,
    ...surroundings,
    ...severalPlaces,
    ...keywords,
    ...sameMeaning,
  ],
};

export const rows: readonly Row[] = Object.values(lists).flat();

const compared = new Map<Row, readonly Change[]>();

/** What the gate finds in a row. It is computed once. */
export function changesOf(row: Row): readonly Change[] {
  const changes = compared.get(row) ?? compare(row.before, row.now());
  compared.set(row, changes);
  return changes;
}
