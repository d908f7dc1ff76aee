import { isObject } from "@trainyard/core/validation";
import { items, json, raw, resent, type Mutant } from "../mutant.ts";

/** The values of a body, and its encoding. */
export const bodies: readonly Mutant[] = [
  json("training models.create writing", "a required field is missing", /base_model/, (model) => {
    delete model["base_model"];
  }),
  json("training models.checkpoints.list writing", "a number is sent as a string", /step/, (page) => {
    for (const item of items(page)) item["step"] = String(item["step"]);
  }),
  json("training models.create writing", "a field that is not nullable is null", /project/, (model) => {
    model["project"] = null;
  }),
  json("training health.check", "a closed enumeration has an additional value", /status/, (health) => {
    health["status"] = "fine";
  }),
  json("training trainingJobs.createRl writing", "an id is not a UUID", /id/, (job) => {
    job["id"] = `job-${String(job["id"]).slice(0, 8)}`;
  }),
  json("training trainingJobs.get writing", "a time has no offset", /training_end/, (job) => {
    if (typeof job["training_end"] === "string") job["training_end"] = job["training_end"].replace(/Z$/, "");
  }),
  json("training trainingJobs.get writing", "a time is a number", /training_end/, (job) => {
    if (typeof job["training_end"] === "string") job["training_end"] = Date.parse(job["training_end"]);
  }),
  json("inference chat.completions.create", "a Unix time is in milliseconds", /created/, (answer) => {
    if (typeof answer["created"] === "number") answer["created"] *= 1000;
  }),
  {
    ...json("inference models.list", "a field is not declared", /permission/, (list) => {
      for (const item of items(list)) item["permission"] = [];
    }),
    certainty: "not declared",
  },
  json("inference models.list", "the items of a list are in another field", /data/, (list) => ({
    object: "list",
    models: list["data"],
  })),
  json("inference models.list", "a constant field has another value", /object/, (list) => {
    list["object"] = "models";
  }),
  json("auxiliary hardware.list", "a price is a string", /cents_per_million_input_tokens/, (answer) => {
    for (const { pricing } of items(answer, "hardware"))
      if (isObject(pricing)) pricing["cents_per_million_input_tokens"] = "12";
  }),
  json("inference chat.completions.create", "the total of the tokens is wrong", /total_tokens/, ({ usage }) => {
    if (isObject(usage)) usage["total_tokens"] = Number(usage["prompt_tokens"]);
  }),
  json("inference models.list", "an integer has a fraction", /created/, (list) => {
    for (const item of items(list)) item["created"] = Number(item["created"]) + 0.5;
  }),
  json("inference models.list", "a list is an object with a key for each id", /data/, (list) => {
    list["data"] = Object.fromEntries(items(list).map((item) => [String(item["id"]), item]));
  }),
  json("auxiliary hardware.list", "the last option, and no other, has no price", /pricing/, (answer) => {
    delete items(answer, "hardware").at(-1)?.["pricing"];
  }),
  json("training models.create writing", "the name of a model is null", /name/, (model) => {
    model["name"] = null;
  }),
  json("auxiliary objects.read", "a boolean stands for 0 or 1", /is_latest/, ({ obj }) => {
    if (isObject(obj)) obj["is_latest"] = obj["is_latest"] === 1;
  }),
  json("training models.checkpoints.list", "a checkpoint's id is not a UUID", /id/, (page) => {
    for (const item of items(page)) item["id"] = `checkpoint-${String(item["step"])}`;
  }),
  json("auxiliary objects.read", "the time of an object has no offset", /created_at/, ({ obj }) => {
    if (isObject(obj)) obj["created_at"] = String(obj["created_at"]).replace(/Z$/, "");
  }),
  json("auxiliary objects.read", "the number of a version has a fraction", /version_index/, ({ obj }) => {
    if (isObject(obj)) obj["version_index"] = Number(obj["version_index"]) + 0.5;
  }),
  json("training models.checkpoints.list", "metrics are texts", /metrics/, (page) => {
    for (const item of items(page))
      item["metrics"] = Object.fromEntries(
        Object.entries(Object(item["metrics"])).map(([name, one]) => [name, String(one)]),
      );
  }),
  raw("auxiliary feedback.stats", "a result is NaN", /JSON/, (answer) => {
    answer.text = answer.text.replace(/"(avg_\w+)":[\d.]+/, '"$1":NaN');
  }),
  raw("auxiliary hardware.list", "a name is encoded as Latin-1", /UTF-8/, (answer) => {
    answer.bytes = Buffer.from(answer.text.replace('"One"', '"Größe"'), "latin1");
  }),
  raw("training health.check", "the body is empty, and its status a success", /empty|JSON/, (answer) => {
    answer.text = "";
  }),
  raw("inference models.list", "the body begins with a byte order mark", /JSON/, (answer) => {
    answer.text = `\uFEFF${answer.text}`;
  }),
  raw("training models.listBase", "the names of base models stand in an object", /body/, (answer) => {
    answer.text = `{"models":${answer.text}}`;
  }),
  json("training trainingJobs.events.list", "an event has no data", /data/, (page) => {
    for (const item of items(page)) delete item["data"];
  }),
  json("inference chat.completions.create", "`usage` is null in a whole answer", /usage/, (answer) => {
    answer["usage"] = null;
  }),
  json("training health.systemCheck", "a part says whether it works as a number", /database/, (check) => {
    if (isObject(check["database"])) check["database"]["success"] = 1;
  }),
  raw("training models.listBase", "a base model has no publisher", /publisher/, (answer) => {
    answer.text = answer.text.replaceAll("demo/", "");
  }),
];

/** Versioned objects. */
export const objects: readonly Mutant[] = [
  json("auxiliary objects.read", "the digest is not that of the value", /SHA-256/, ({ obj }) => {
    if (isObject(obj)) obj["digest"] = String(obj["digest"]).split("").toReversed().join("");
  }),
  resent("auxiliary objects.read", "metadata_only returns the value", /val/, ({ body }) =>
    body["metadata_only"] === true ? { body: { ...body, metadata_only: false } } : undefined,
  ),
  json("auxiliary objects.read", "tags are returned although the request does not include them", /tags/, ({ obj }) => {
    if (isObject(obj)) obj["tags"] = ["a"];
  }),
  json("auxiliary objects.read", "another version of an object is returned", /version_index/, ({ obj }) => {
    if (isObject(obj)) obj["version_index"] = Number(obj["version_index"]) + 1;
  }),
  json("auxiliary objects.read", "tags and aliases are null although they are asked for", /tags|aliases/, ({ obj }) => {
    if (isObject(obj)) Object.assign(obj, { tags: null, aliases: null });
  }),
  resent("auxiliary objects.read", "the first version is the newest", /version_index/, ({ body }) =>
    body["digest"] === "v0" ? { body: { ...body, digest: "latest" } } : undefined,
  ),
  json("auxiliary objects.read", "the tags are not sorted", /sorted/, ({ obj }) => {
    if (isObject(obj) && Array.isArray(obj["tags"])) obj["tags"] = obj["tags"].toReversed();
  }),
  json(
    "auxiliary objects.read",
    "the aliases of the newest version do not begin with `latest`",
    /latest/,
    ({ obj }) => {
      if (isObject(obj) && Array.isArray(obj["aliases"]))
        obj["aliases"] = obj["aliases"].filter((one) => one !== "latest");
    },
  ),
  json("auxiliary objects.read", "the object is another", /object_id/, ({ obj }) => {
    if (isObject(obj)) obj["object_id"] = "agent-2-instructions";
  }),
  json("auxiliary objects.read", "a version that was read was deleted", /deleted_at/, ({ obj }) => {
    if (isObject(obj)) obj["deleted_at"] = obj["created_at"];
  }),
  json("auxiliary objects.read", "each version is the newest", /is_latest/, ({ obj }) => {
    if (isObject(obj)) obj["is_latest"] = 1;
  }),
  resent("auxiliary objects.read", "an alias leads to another version", /production/, ({ body }) =>
    body["digest"] === "production" ? { body: { ...body, digest: "v0" } } : undefined,
  ),
  resent("auxiliary objects.read 404", "an unknown version is the newest", /digest/, ({ body }) => ({
    body: { ...body, digest: "latest" },
  })),
];

/** Hardware options. */
export const hardware: readonly Mutant[] = [
  json("auxiliary hardware.list", "an unknown model has options", /does not know the model/, (answer, { url }) => {
    const pricing = { cents_per_million_input_tokens: 1, cents_per_million_output_tokens: 1 };
    if (url.searchParams.get("model") !== "tiny")
      answer["hardware"] = [{ id: "h9", name: "Nine", type: "cpu", pricing }];
  }),
  json("auxiliary hardware.list", "two options have the same id", /id/, (answer) => {
    for (const item of items(answer, "hardware")) item["id"] = "h1";
  }),
];
