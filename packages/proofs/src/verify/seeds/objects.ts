import { isObject } from "@trainyard/core/validation";
import { json, type SeedRow } from "../seed.ts";

/** Divergences in versioned objects. */
export const objects: readonly SeedRow[] = [
  {
    title: "metadata_only returns the value",
    on: "auxiliary objects.read",
    names: /val/,
    change: async (answer, { body, forward }) => {
      if (isObject(body) && body["metadata_only"] === true)
        Object.assign(answer, await forward({ body: { ...body, metadata_only: false } }));
    },
  },
  {
    title: "tags are returned although the request does not include them",
    on: "auxiliary objects.read",
    names: /tags/,
    change: json(({ obj }) => {
      if (isObject(obj)) obj["tags"] = ["a"];
    }),
  },
  {
    title: "another version of an object is returned",
    on: "auxiliary objects.read",
    names: /version_index/,
    change: json(({ obj }) => {
      if (isObject(obj)) obj["version_index"] = Number(obj["version_index"]) + 1;
    }),
  },
];
