import { items, json, raw, resent, type Mutant } from "../mutant.ts";

const checkpoints = "training models.checkpoints.list";
const events = "training trainingJobs.events.list";
const id = () => crypto.randomUUID();

/** Lists and their pages. */
export const pages: readonly Mutant[] = [
  resent(events, "the cursor is ignored", /after|twice|cursor/, () => ({ query: { after: undefined } })),
  json(checkpoints, "has_more is always true", /has_more/, { has_more: true }),
  json(events, "has_more is always false", /has_more/, { has_more: false }),
  resent(events, "the limit is ignored", /limit/, () => ({ query: { limit: undefined } })),
  resent(checkpoints, "the order is ignored", /order|by step|sorted/i, () => ({ query: { order: undefined } })),
  json("inference models.list", "an item occurs twice", /twice/, (list) => {
    list["data"] = [...items(list), ...items(list).slice(0, 1)];
  }),
  json(checkpoints, "last_id is the id of another item", /last_id/, { last_id: id }),
  json(events, "events are listed newest first", /oldest first|order|last/, (page) => {
    page["data"] = items(page).toReversed();
  }),
  resent("training models.checkpoints.list 422", "a cursor that never existed is accepted", /after/, ({ url }) =>
    url.searchParams.has("after") ? { query: { after: undefined } } : undefined,
  ),
  raw(checkpoints, "a page behind a cursor skips an item", /same items|has_more/, async (answer, request) => {
    const { first_id: first } = JSON.parse(answer.text || "{}");
    if (request.url.searchParams.has("after") && first)
      Object.assign(answer, await request.forward({ query: { after: String(first) } }));
  }),
  json(checkpoints, "first_id is the id of another item", /first_id/, { first_id: id }),
  json(checkpoints, "first_id and last_id are null", /first_id|last_id/, { first_id: null, last_id: null }),
  json(events, "last_id is empty", /last_id/, { last_id: "" }),
  raw(events, "a page behind a cursor begins with the item of the cursor", /after/, async (answer, request) => {
    const after = request.url.searchParams.get("after");
    if (after === null) return;
    const all = JSON.parse((await request.forward({ query: { after: undefined, limit: undefined } })).text || "{}");
    const from = items(all).findIndex(({ id }) => id === after);
    const most = Number(request.url.searchParams.get("limit") ?? 20);
    const data = items(all).slice(from, from + most);
    const has_more = from + most < items(all).length;
    answer.text = JSON.stringify({ ...all, data, first_id: after, last_id: data.at(-1)?.["id"], has_more });
  }),
  json(checkpoints, "a page has an item more than its limit, which follows again", /limit/, (page, { url }) => {
    if (url.searchParams.get("limit") === "1")
      page["data"] = [...items(page), { ...items(page)[0], id: crypto.randomUUID(), step: 99 }];
  }),
  json(checkpoints, "has_more is always false", /has_more/, { has_more: false }),
];
