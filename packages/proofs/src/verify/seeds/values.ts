import { isObject } from "@trainyard/core/validation";
import { items, json, type SeedRow } from "../seed.ts";

/** Divergences in the values of a response. */
export const values: readonly SeedRow[] = [
  {
    title: "a required field is missing",
    on: "training models.create writing",
    names: /base_model/,
    change: json((model) => void delete model["base_model"]),
  },
  {
    title: "a number is sent as a string",
    on: "training models.checkpoints.list writing",
    names: /step/,
    change: json((page) => {
      for (const item of items(page)) item["step"] = String(item["step"]);
    }),
  },
  {
    title: "a field that is not nullable is null",
    on: "training models.create writing",
    names: /project/,
    change: json((model) => void (model["project"] = null)),
  },
  {
    title: "a closed enumeration has an additional value",
    on: "training health.check",
    names: /status/,
    change: json((health) => void (health["status"] = "fine")),
  },
  {
    title: "an id is not a UUID",
    on: "training trainingJobs.createRl writing",
    names: /id/,
    change: json((job) => void (job["id"] = `job-${String(job["id"]).slice(0, 8)}`)),
  },
  {
    title: "a time has no offset",
    on: "training trainingJobs.get writing",
    names: /training_end/,
    change: json((job) => {
      if (typeof job["training_end"] === "string") job["training_end"] = job["training_end"].replace(/Z$/, "");
    }),
  },
  {
    title: "a time is a number",
    on: "training trainingJobs.get writing",
    names: /training_end/,
    change: json((job) => {
      if (typeof job["training_end"] === "string") job["training_end"] = Date.parse(job["training_end"]);
    }),
  },
  {
    title: "a Unix time is in milliseconds",
    on: "inference chat.completions.create",
    names: /created/,
    change: json((answer) => {
      if (typeof answer["created"] === "number") answer["created"] *= 1000;
    }),
  },
  {
    title: "a field is not declared",
    on: "inference models.list",
    names: /permission/,
    certainty: "not declared",
    change: json((list) => {
      for (const item of items(list)) item["permission"] = [];
    }),
  },
  {
    title: "the items of a list are in another field",
    on: "inference models.list",
    names: /data/,
    change: json((list) => ({ object: "list", models: list["data"] })),
  },
  {
    title: "a constant field has another value",
    on: "inference models.list",
    names: /object/,
    change: json((list) => void (list["object"] = "models")),
  },
  {
    title: "a price is a string",
    on: "auxiliary hardware.list",
    names: /cents_per_million_input_tokens/,
    change: json((answer) => {
      for (const { pricing } of items(answer, "hardware"))
        if (isObject(pricing)) pricing["cents_per_million_input_tokens"] = "12";
    }),
  },
  {
    title: "the total of the tokens is wrong",
    on: "inference chat.completions.create",
    names: /total_tokens/,
    change: json(({ usage }) => {
      if (isObject(usage)) usage["total_tokens"] = Number(usage["prompt_tokens"]);
    }),
  },
  {
    title: "an integer has a fraction",
    on: "inference models.list",
    names: /created/,
    change: json((list) => {
      for (const item of items(list)) item["created"] = Number(item["created"]) + 0.5;
    }),
  },
  {
    title: "a list is an object with a key for each id",
    on: "inference models.list",
    names: /data/,
    change: json(
      (list) => void (list["data"] = Object.fromEntries(items(list).map((item) => [String(item["id"]), item]))),
    ),
  },
];
