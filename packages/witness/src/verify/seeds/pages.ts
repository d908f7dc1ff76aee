import { items, json, type Seed } from "../seed.ts";

/** Divergences in lists and their pages. */
export const pages: readonly Seed[] = [
  {
    title: "the cursor is ignored",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /after|twice|cursor/,
    change: async (answer, { url, forward }) => {
      const first = new URL(url);
      first.searchParams.delete("after");
      Object.assign(answer, await forward({ url: first }));
    },
  },
  {
    title: "has_more is always true",
    service: "training",
    operation: "models.checkpoints.list",
    write: true,
    names: /has_more/,
    change: json((page) => void (page["has_more"] = true)),
  },
  {
    title: "has_more is always false",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /has_more/,
    change: json((page) => void (page["has_more"] = false)),
  },
  {
    title: "the limit is ignored",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /limit/,
    change: async (answer, { url, forward }) => {
      const all = new URL(url);
      all.searchParams.delete("limit");
      Object.assign(answer, await forward({ url: all }));
    },
  },
  {
    title: "the order is ignored",
    service: "training",
    operation: "models.checkpoints.list",
    write: true,
    names: /order|by step|sorted/i,
    change: async (answer, { url, forward }) => {
      const other = new URL(url);
      other.searchParams.delete("order");
      Object.assign(answer, await forward({ url: other }));
    },
  },
  {
    title: "an item occurs twice",
    service: "inference",
    operation: "models.list",
    names: /twice/,
    change: json((list) => void (list["data"] = [...items(list), ...items(list).slice(0, 1)])),
  },
  {
    title: "last_id is the id of another item",
    service: "training",
    operation: "models.checkpoints.list",
    write: true,
    names: /last_id/,
    change: json((page) => void (page["last_id"] = crypto.randomUUID())),
  },
  {
    title: "events are listed newest first",
    service: "training",
    operation: "trainingJobs.events.list",
    write: true,
    names: /oldest first|order|last/,
    change: json((page) => void (page["data"] = items(page).toReversed())),
  },
  {
    title: "a cursor that never existed is accepted",
    service: "training",
    operation: "models.checkpoints.list",
    status: 422,
    write: true,
    names: /after/,
    change: async (answer, { url, forward }) => {
      const first = new URL(url);
      if (!first.searchParams.has("after")) return;
      first.searchParams.delete("after");
      Object.assign(answer, await forward({ url: first }));
    },
  },
];
