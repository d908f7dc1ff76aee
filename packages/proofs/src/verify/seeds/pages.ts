import { items, json, type SeedRow } from "../seed.ts";

/** Divergences in lists and their pages. */
export const pages: readonly SeedRow[] = [
  {
    title: "the cursor is ignored",
    on: "training trainingJobs.events.list writing",
    names: /after|twice|cursor/,
    change: async (answer, { url, forward }) => {
      const first = new URL(url);
      first.searchParams.delete("after");
      Object.assign(answer, await forward({ url: first }));
    },
  },
  {
    title: "has_more is always true",
    on: "training models.checkpoints.list writing",
    names: /has_more/,
    change: json((page) => void (page["has_more"] = true)),
  },
  {
    title: "has_more is always false",
    on: "training trainingJobs.events.list writing",
    names: /has_more/,
    change: json((page) => void (page["has_more"] = false)),
  },
  {
    title: "the limit is ignored",
    on: "training trainingJobs.events.list writing",
    names: /limit/,
    change: async (answer, { url, forward }) => {
      const all = new URL(url);
      all.searchParams.delete("limit");
      Object.assign(answer, await forward({ url: all }));
    },
  },
  {
    title: "the order is ignored",
    on: "training models.checkpoints.list writing",
    names: /order|by step|sorted/i,
    change: async (answer, { url, forward }) => {
      const other = new URL(url);
      other.searchParams.delete("order");
      Object.assign(answer, await forward({ url: other }));
    },
  },
  {
    title: "an item occurs twice",
    on: "inference models.list",
    names: /twice/,
    change: json((list) => void (list["data"] = [...items(list), ...items(list).slice(0, 1)])),
  },
  {
    title: "last_id is the id of another item",
    on: "training models.checkpoints.list writing",
    names: /last_id/,
    change: json((page) => void (page["last_id"] = crypto.randomUUID())),
  },
  {
    title: "events are listed newest first",
    on: "training trainingJobs.events.list writing",
    names: /oldest first|order|last/,
    change: json((page) => void (page["data"] = items(page).toReversed())),
  },
  {
    title: "a cursor that never existed is accepted",
    on: "training models.checkpoints.list 422 writing",
    names: /after/,
    change: async (answer, { url, forward }) => {
      const first = new URL(url);
      if (!first.searchParams.has("after")) return;
      first.searchParams.delete("after");
      Object.assign(answer, await forward({ url: first }));
    },
  },
];
