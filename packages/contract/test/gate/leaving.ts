import type { JsonObject } from "../../src/json.ts";
import { type Row, between, read, sent } from "./row.ts";

const entry = { value: "b", until: "2.0.0", instead: "Use a." };
const set = { type: "string", enum: ["a", "b", "c"] };
const leaving: JsonObject = { ...set, "x-leaving": [entry] };
const pages = { "200": { description: "Done.", content: { "application/json": {}, "text/csv": {} } } };
const old = { method: "runs.start", until: "2.0.0", instead: "runs.begin" };
const renamed = { "x-client-method": "runs.begin" };

/** Announcements of what leaves and cannot be `deprecated`, and their end. */
export const announcements: readonly Row[] = [
  sent("a value is announced to leave", set, leaving, "additive", "It works as before, and its users are told."),
  read("a value is announced to leave", set, leaving, "additive", "It works as before, and its users are told."),
  sent("a value stays after all", leaving, set, "neutral", "Nothing changed on the wire."),
  sent(
    "a value leaves in another version",
    leaving,
    { ...set, "x-leaving": [{ ...entry, until: "3.0.0" }] },
    "neutral",
    "It still works.",
  ),
  sent(
    "two values are announced in another order",
    { ...set, "x-leaving": [entry, { ...entry, value: "c" }] },
    { ...set, "x-leaving": [{ ...entry, value: "c" }, entry] },
    "neutral",
    "The meaning is the same.",
  ),
  sent("a value leaves as announced", leaving, { ...set, enum: ["a", "c"] }, "breaking", "It is refused now."),
  between(
    "a media type is announced to leave",
    { operation: { responses: pages } },
    {
      operation: {
        responses: {
          "200": { ...pages[200], "x-leaving": [{ media: "text/csv", until: "2.0.0", instead: "Read JSON." }] },
        },
      },
    },
    "additive",
    "It works as before, and its users are told.",
  ),
  between(
    "a method is renamed and keeps its former name",
    {},
    { operation: { ...renamed, "x-leaving": [old] } },
    "additive",
    "Programs that use either name compile.",
  ),
  between(
    "the former name of a method leaves",
    { operation: { ...renamed, "x-leaving": [old] } },
    { operation: renamed },
    "breaking for source",
    "Programs that use it no longer compile.",
  ),
  between(
    "a method gets its former name back at once",
    { operation: { ...renamed, "x-leaving": [old] } },
    {},
    "breaking for source",
    "Programs that use the new name no longer compile.",
  ),
];
