import { type Row, rowsOf } from "./row.ts";

/** Announcements of what leaves and cannot be `deprecated`, and their end. */
export const announcements: readonly Row[] = rowsOf(`
sent: a value is announced to leave | additive | It works as before, and its users are told.
  {type: string, enum: [a, b, c]}
  → {type: string, enum: [a, b, c], x-leaving: [{value: b, until: "2.0.0", instead: Use a.}]}
read: a value is announced to leave | additive | It works as before, and its users are told.
  {type: string, enum: [a, b, c]}
  → {type: string, enum: [a, b, c], x-leaving: [{value: b, until: "2.0.0", instead: Use a.}]}
sent: a value stays after all | neutral | Nothing changed on the wire.
  {type: string, enum: [a, b, c], x-leaving: [{value: b, until: "2.0.0", instead: Use a.}]}
  → {type: string, enum: [a, b, c]}
sent: a value leaves in another version | neutral | It still works.
  {type: string, enum: [a, b, c], x-leaving: [{value: b, until: "2.0.0", instead: Use a.}]}
  → {type: string, enum: [a, b, c], x-leaving: [{value: b, until: "3.0.0", instead: Use a.}]}
sent: two values are announced in another order | neutral | The meaning is the same.
  {type: string, enum: [a, b, c], x-leaving: [{value: b, until: "2.0.0", instead: Use a.}, {value: c, until: "2.0.0",
    instead: Use a.}]}
  → {type: string, enum: [a, b, c], x-leaving: [{value: c, until: "2.0.0", instead: Use a.}, {value: b,
    until: "2.0.0", instead: Use a.}]}
sent: a value leaves as announced | breaking | It is refused now.
  {type: string, enum: [a, b, c], x-leaving: [{value: b, until: "2.0.0", instead: Use a.}]}
  → {type: string, enum: [a, c]}
operation: a media type is announced to leave | additive | It works as before, and its users are told.
  {responses: {"200": {description: Done., content: {"application/json": {}, "text/csv": {}}}}}
  → {responses: {"200": {description: Done., content: {"application/json": {}, "text/csv": {}},
    x-leaving: [{media: text/csv, until: "2.0.0", instead: Read JSON.}]}}}
operation: a method is renamed and keeps its former name | additive | Programs that use either name compile.
  {} → {x-client-method: runs.begin, x-leaving: [{method: runs.start, until: "2.0.0", instead: runs.begin}]}
operation: the former name of a method leaves | breaking for source | Programs that use it no longer compile.
  {x-client-method: runs.begin, x-leaving: [{method: runs.start, until: "2.0.0", instead: runs.begin}]}
  → {x-client-method: runs.begin}
operation: a method gets its former name back at once
  | breaking for source | Programs that use the new name no longer compile.
  {x-client-method: runs.begin, x-leaving: [{method: runs.start, until: "2.0.0", instead: runs.begin}]} → {}
`);
