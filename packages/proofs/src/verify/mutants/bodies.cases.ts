import { isObject } from "@trainyard/core/validation";
import { each, edit, items, json, raw, resent, type Mutant } from "../mutant.ts";

/** Without the mark of UTC. */
const local = (time: unknown) => (typeof time === "string" ? time.replace(/Z$/, "") : time);
const halfMore = (number: unknown) => Number(number) + 0.5;
const job = "training trainingJobs.get writing";

/** The values of a body, and its encoding. */
export const bodies: readonly Mutant[] = [
  json("training models.create writing", "a required field is missing", /base_model/, { base_model: undefined }),
  json("training models.checkpoints.list writing", "a number is sent as a string", /step/, each({ step: String })),
  json("training models.create writing", "a field that is not nullable is null", /project/, { project: null }),
  json("training health.check", "a closed enumeration has an additional value", /status/, { status: "fine" }),
  json("training trainingJobs.createRl writing", "an id is not a UUID", /id/, (job) => {
    job["id"] = `job-${String(job["id"]).slice(0, 8)}`;
  }),
  json(job, "a time has no offset", /training_end/, { training_end: local }),
  json(job, "a time is a number", /training_end/, (job) => {
    if (typeof job["training_end"] === "string") job["training_end"] = Date.parse(job["training_end"]);
  }),
  json("inference chat.completions.create", "a Unix time is in milliseconds", /created/, (answer) => {
    if (typeof answer["created"] === "number") answer["created"] *= 1000;
  }),
  {
    ...json("inference models.list", "a field is not declared", /permission/, each({ permission: [] })),
    certainty: "not declared",
  },
  json("inference models.list", "the items of a list are in another field", /data/, ({ data: models }) => ({
    object: "list",
    models,
  })),
  json("inference models.list", "a constant field has another value", /object/, { object: "models" }),
  json("auxiliary hardware.list", "a price is a string", /cents_per_million_input_tokens/, (answer) => {
    for (const { pricing } of items(answer, "hardware")) Object(pricing)["cents_per_million_input_tokens"] = "12";
  }),
  json("inference chat.completions.create", "the total of the tokens is wrong", /total_tokens/, ({ usage }) => {
    if (isObject(usage)) usage["total_tokens"] = Number(usage["prompt_tokens"]);
  }),
  json("inference models.list", "an integer has a fraction", /created/, each({ created: halfMore })),
  json("inference models.list", "a list is an object with a key for each id", /data/, (list) => {
    list["data"] = Object.fromEntries(items(list).map((item) => [String(item["id"]), item]));
  }),
  json("auxiliary hardware.list", "the last option, and no other, has no price", /pricing/, (answer) => {
    delete items(answer, "hardware").at(-1)?.["pricing"];
  }),
  json("training models.create writing", "the name of a model is null", /name/, { name: null }),
  object("a boolean stands for 0 or 1", /is_latest/, { is_latest: (latest) => latest === 1 }),
  json("training models.checkpoints.list", "a checkpoint's id is not a UUID", /id/, (page) => {
    for (const item of items(page)) item["id"] = `checkpoint-${String(item["step"])}`;
  }),
  object("the time of an object has no offset", /created_at/, { created_at: local }),
  object("the number of a version has a fraction", /version_index/, { version_index: halfMore }),
  json("training models.checkpoints.list", "metrics are texts", /metrics/, (page) => {
    for (const { metrics } of items(page))
      for (const [name, one] of Object.entries(Object(metrics))) Object(metrics)[name] = String(one);
  }),
  raw("auxiliary feedback.stats", "a result is NaN", /JSON/, (answer) => {
    answer.text = answer.text.replace(/"(avg_\w+)":[\d.]+/, '"$1":NaN');
  }),
  raw("auxiliary hardware.list", "a name is encoded as Latin-1", /UTF-8/, (answer) => {
    answer.bytes = Buffer.from(answer.text.replace('"One"', '"Größe"'), "latin1");
  }),
  raw("training health.check", "the body is empty, and its status a success", /empty|JSON/, { text: "" }),
  raw("inference models.list", "the body begins with a byte order mark", /JSON/, (answer) => {
    answer.text = `\uFEFF${answer.text}`;
  }),
  raw("training models.listBase", "the names of base models stand in an object", /body/, (answer) => {
    answer.text = `{"models":${answer.text}}`;
  }),
  json("training trainingJobs.events.list", "an event has no data", /data/, each({ data: undefined })),
  json("inference chat.completions.create", "`usage` is null in a whole answer", /usage/, { usage: null }),
  json("training health.systemCheck", "a part says whether it works as a number", /database/, (check) => {
    if (isObject(check["database"])) check["database"]["success"] = 1;
  }),
  raw("training models.listBase", "a base model has no publisher", /publisher/, (answer) => {
    answer.text = answer.text.replaceAll("demo/", "");
  }),
];

/** A mutant of the object that is read. */
function object(title: string, names: RegExp, change: Parameters<typeof each>[0]): Mutant {
  return json("auxiliary objects.read", title, names, ({ obj }) => {
    if (isObject(obj)) edit(obj, change);
  });
}
const read = "auxiliary objects.read";

/** Versioned objects. */
export const objects: readonly Mutant[] = [
  object("the digest is not that of the value", /SHA-256/, (obj) => {
    obj["digest"] = String(obj["digest"]).split("").toReversed().join("");
  }),
  resent(read, "metadata_only returns the value", /val/, ({ body }) =>
    body["metadata_only"] === true ? { body: { ...body, metadata_only: false } } : undefined,
  ),
  object("tags are returned although the request does not include them", /tags/, { tags: ["a"] }),
  object("another version of an object is returned", /version_index/, { version_index: (one) => Number(one) + 1 }),
  object("tags and aliases are null although they are asked for", /tags|aliases/, { tags: null, aliases: null }),
  resent(read, "the first version is the newest", /version_index/, ({ body }) =>
    body["digest"] === "v0" ? { body: { ...body, digest: "latest" } } : undefined,
  ),
  object("the tags are not sorted", /sorted/, (obj) => {
    if (Array.isArray(obj["tags"])) obj["tags"] = obj["tags"].toReversed();
  }),
  object("the aliases of the newest version do not begin with `latest`", /latest/, (obj) => {
    if (Array.isArray(obj["aliases"])) obj["aliases"] = obj["aliases"].filter((one) => one !== "latest");
  }),
  object("the object is another", /object_id/, { object_id: "agent-2-instructions" }),
  object("a version that was read was deleted", /deleted_at/, (obj) => {
    obj["deleted_at"] = obj["created_at"];
  }),
  object("each version is the newest", /is_latest/, { is_latest: 1 }),
  resent(read, "an alias leads to another version", /production/, ({ body }) =>
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
  json("auxiliary hardware.list", "two options have the same id", /id/, each({ id: "h1" }, "hardware")),
];
