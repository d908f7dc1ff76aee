import { type Row, both, read, sent } from "./row.ts";

const closed = { type: "object", properties: { s: { type: "string", enum: ["a", "b"] } } };
const open = { type: "object", properties: { s: { type: "string", enum: ["a", "b"], "x-extensible": true } } };
const openMore = { type: "object", properties: { s: { type: "string", enum: ["a", "b", "c"], "x-extensible": true } } };
const openLess = { type: "object", properties: { s: { type: "string", enum: ["a"], "x-extensible": true } } };
const kind = (
  name: string,
): { type: string; required: string[]; properties: { kind: { type: string; const: string } } } => ({
  type: "object",
  required: ["kind"],
  properties: { kind: { type: "string", const: name } },
});
const union = (...names: string[]): { type: string; "x-extensible": boolean; oneOf: ReturnType<typeof kind>[] } => ({
  type: "object",
  "x-extensible": true,
  oneOf: names.map(kind),
});

/** Sets that are said to grow, by `x-extensible`. */
export const openSets: readonly Row[] = [
  read("a value comes into an open set", open, openMore, "additive", "Readers pass over what they do not know."),
  read(
    "a value leaves an open set",
    open,
    openLess,
    "warning",
    "Who handles it waits in vain; programs still compile.",
  ),
  read(
    "a variant comes into an open union",
    union("a", "b"),
    union("a", "b", "c"),
    "additive",
    "Readers pass over what they do not know.",
  ),
  read(
    "a variant leaves an open union",
    union("a", "b"),
    union("a"),
    "warning",
    "Who handles it waits in vain; programs still compile.",
  ),
  read("a set is opened", closed, open, "breaking for source", "A `switch` over all members is no longer complete."),
  read("a set is closed", open, closed, "additive or neutral", "No member comes that is not listed."),
  read("a set is opened, and grows at once", closed, openMore, "breaking", "Who reads was not told that it may grow."),
  read(
    "an open set becomes any text",
    open,
    { type: "object", properties: { s: { type: "string" } } },
    "additive or warning",
    "Readers pass over what they do not know.",
  ),
  sent("a value leaves what is taken", open, openLess, "breaking", "What was accepted is refused."),
  both(
    "a value comes into what is sent and read",
    open,
    openMore,
    "additive",
    "Everything that was accepted still is, and readers pass over it.",
  ),
];
