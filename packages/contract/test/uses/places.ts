/**
 * Two files in which a comment at the end of a line names the fields that the line uses. Where no comment stands, nothing of
 * the contract is used.
 */
export const typescript = `import { createTrainingClient, type Checkpoint, type CreateModelRequest, type Health, type Model, type Trajectory } from "@trainyard/training";
declare const model: Model;
declare const models: Model[];
declare const checkpoint: Checkpoint;
declare const health: Health;
declare const request: CreateModelRequest;
declare const own: { id: string; name: string; reward: number };
declare function print(...all: unknown[]): void;
declare function pick<T, K extends keyof T>(from: T, ...keys: K[]): Pick<T, K>;
declare function pickAll<T, K extends keyof T & string>(from: T, options: { keys: readonly K[] }): void;
declare function sort<T>(list: readonly T[], key: keyof T): void;
type Own<T, K extends keyof T> = { [P in K]: T[P] };
class Grid<T> {
  show<K extends keyof T>(key: K, text: (value: T[K]) => string): void {
    print(key, text);
  }
}

type Id = Model["id"]; // Model.id
type Names = Model["name" | "project"]; // Model.name, Model.project
let ids: Model["id"][] = []; // Model.id
function rewardOf(steps: Checkpoint["step"][]): NonNullable<Trajectory["reward"]> { // Checkpoint.step, Trajectory.reward
  return steps.length;
}
const byId = new Map<Model["id"], unknown>(); // Model.id
type Base = (typeof model)["base_model"]; // Model.base_model
type Created = Awaited<ReturnType<ReturnType<typeof createTrainingClient>["models"]["create"]>>["entity"]; // Model.entity
type Mapped = { [K in "id" | "name"]: Model[K] }; // Model.id, Model.name
type Sent = CreateModelRequest["base_model"]; // CreateModelRequest.base_model
type OfValue = typeof model.run_id; // Model.run_id
type Whole = { [K in keyof Model]: Model[K] };
type OfOwn = (typeof own)["id"];

type Short = Pick<Model, "id" | "name">; // Model.id, Model.name
type Status = Pick<Health, "status">; // Health.status
type Long = Partial<
  Pick<
    Model,
    | "project" // Model.project
    | "entity" // Model.entity
  >
>;
type Key = "id" | "run_id";
type ByAlias = Pick<Model, Key>; // Model.id, Model.run_id
type ByOwn = Own<Checkpoint, "metrics">; // Checkpoint.metrics
interface Row extends Pick<Model, "name"> { // Model.name
  more: string;
}
type Rest = Pick<Model, Exclude<keyof Model, "id">>;
type Less = Omit<Model, "entity">;
type PickOwn = Pick<typeof own, "id">;

const list: (keyof Model)[] = ["id", "name"]; // Model.id, Model.name
const columns: readonly { key: keyof Model; title: string }[] = [
  { key: "id", title: "name" }, // Model.id
  { title: "id", key: "project" }, // Model.project
];
const lines = [
  "id", // Model.id
  "entity", // Model.entity
] as const satisfies readonly (keyof Model)[];
const set = new Set<keyof Model>(["base_model"]); // Model.base_model
const given: ReadonlySet<keyof Checkpoint> = new Set(["step", "metrics"]); // Checkpoint.step, Checkpoint.metrics
print(list.includes("run_id")); // Model.run_id
type ModelKey = Exclude<keyof Model, "id">;
let key: ModelKey = "name"; // Model.name
const titles: Partial<Record<keyof Model, string>> = {
  id: "Id", // Model.id
  name: "Name", // Model.name
};
const first = (wide: boolean): keyof Model =>
  wide
    ? "project" // Model.project
    : "id"; // Model.id
const ownKeys: (keyof typeof own)[] = ["id", "name"];
for (const one of list) print(model[one]);
if (list[0] === "id") print(1); // Model.id
switch (list[1]) {
  case "name": // Model.name
    break;
}

for (const one of ["id", "name"] as const) print(model[one]); // Model.id, Model.name
const keys = ["project", "entity"] as const;
for (const one of keys) {
  print(one);
  print(model[one], own); // Model.project, Model.entity
}
keys.forEach((one) => print(models.map((each) => each[one]))); // Model.project, Model.entity
for (const [index, one] of keys.entries()) print(index, model[one]); // Model.project, Model.entity
const table = [{ key: "id", title: "Id" }, { key: "run_id", title: "Run" }] as const;
for (const { key, title } of table) print(title, model[key]); // Model.id, Model.run_id
for (const one of ["name", "project"] as const) request[one] = "x"; // CreateModelRequest.name, CreateModelRequest.project
for (const one of ["id", "name"] as const) print(own[one]);
for (const one of Object.keys(model) as (keyof Model)[]) {
  if (one === "id") continue; // Model.id
  print(model[one], pick(model, one));
}

const literal = "name";
print(model[literal], own[literal]); // Model.name
const spec = { field: "id" } as const;
print(model[spec.field]); // Model.id
print(models[0]?.[literal], model[models.length > 1 ? "id" : "entity"]); // Model.name, Model.id, Model.entity
const { [literal]: renamed, ["id"]: other, ...metadata } = model; // Model.name, Model.id
const at = <K extends keyof Model>(one: K): Model[K] => model[one];
at("run_id"); // Model.run_id

print(pick(model, "id")); // Model.id
print(pick(model, "id", "name"), pick(health, "status")); // Model.id, Model.name, Health.status
pickAll(model, {
  keys: [
    "project", // Model.project
    "entity", // Model.entity
  ],
});
print(pick(model, ...keys), pick(model, literal)); // Model.project, Model.entity, Model.name
sort(models, "base_model"); // Model.base_model
new Grid<Model>().show("id", (value) => value); // Model.id
print(models.map((one) => pick(one, "run_id"))); // Model.run_id
print(pick(own, "id"));

let later: unknown;
let id: string;
({ name: later } = model); // Model.name
({ id } = model); // Model.id
({ id, "project": later } = model); // Model.id, Model.project
({ [literal]: later, run_id: later = "none" } = model); // Model.name, Model.run_id
[{ entity: later }] = models as [Model]; // Model.entity
for ({ base_model: later } of models) print(later); // Model.base_model
({ deep: { step: later } } = { deep: checkpoint }); // Checkpoint.step
({ id: request.name } = own); // CreateModelRequest.name
({ id: later } = own);
`;

export const javascript = `import { createTrainingClient } from "@trainyard/training";
/** @import { Checkpoint, Model } from "@trainyard/training" */

/** @typedef {import("@trainyard/training").Model} M */
/**
 * See {@link Model}: \`Model["id"]\` and Model["name"].
 *
 * @typedef {object} Row
 * @property {Model["id"]} id // Model.id
 * @property {M["name"]} name // Model.name
 */

/** @typedef {Pick<Model, "id" | "project">} View */ // Model.id, Model.project

/** @type {Model["id"]} */ // Model.id
let id = "x";

/** @type {import("@trainyard/training").Model["name"] | undefined} */ // Model.name
let name;

/**
 * @param {Model["entity"]} entity // Model.entity
 * @param {{ key: keyof Model, step?: Checkpoint["step"] }} options // Checkpoint.step
 * @returns {import("@trainyard/training").Trajectory["reward"]} // Trajectory.reward
 */
function show(entity, options) {
  console.log(entity, options.key);
  return 1;
}
show("x", { key: "id" }); // Model.id

/** @type {(keyof Model)[]} */
const list = ["id", "name"]; // Model.id, Model.name

/** @type {Array<keyof M>} */
const lines = [
  "project", // Model.project
  "entity", // Model.entity
];

/** @type {keyof Model} */
let key = "run_id"; // Model.run_id
key = "base_model"; // Model.base_model

/** @satisfies {(keyof Checkpoint)[]} */
const checked = ["step"]; // Checkpoint.step

const keys = /** @type {const} */ (["id", "name"]);

/**
 * @template T
 * @template {keyof T} K
 * @param {T} from
 * @param {...K} keys
 * @returns {Pick<T, K>}
 */
function pick(from, ...keys) {
  return /** @type {Pick<T, K>} */ (Object.fromEntries(keys.map((one) => [one, from[one]])));
}

/** @param {Model} model */
function read(model) {
  for (const one of keys) console.log(model[one]); // Model.id, Model.name
  for (const one of /** @type {const} */ (["project"])) console.log(model[one]); // Model.project
  keys.forEach((one) => console.log(model[one])); // Model.id, Model.name
  for (const one of list) console.log(model[one]);
  const literal = "base_model";
  console.log(model[literal], model["id"], model.name); // Model.base_model, Model.id, Model.name
  const { run_id: run, [literal]: base, ...metadata } = model; // Model.run_id, Model.base_model
  /** @type {unknown} */
  let later;
  ({ name: later } = model); // Model.name
  ({ id: later, "project": later } = model); // Model.id, Model.project
  ({ id: later } = { id: 1 });
  console.log(pick(model, "id"), pick(model, "name", "project")); // Model.id, Model.name, Model.project
  console.log(pick(model, ...keys), pick({ id: 1 }, "id")); // Model.id, Model.name
  console.log(run, base, metadata, later);
}

/** @callback Reader
 * @param {Model} model
 * @returns {Model["base_model"]} // Model.base_model
 */

class Table {
  /** @type {Model["id"]} */ // Model.id
  id = "x";
  /** @type {keyof Model} */
  sort = "name"; // Model.name
  /** @type {Partial<Record<keyof Model, string>>} */
  titles = { project: "Project" }; // Model.project
}

export async function main() {
  const model = await createTrainingClient().models.create({
    project: "p", // CreateModelRequest.project
    name: "n", // CreateModelRequest.name
    base_model: "b", // CreateModelRequest.base_model
  });
  /** @type {Model["run_id"]} */ // Model.run_id
  const run = model.run_id; // Model.run_id
  console.log(run, read(model), Table, id, name, lines, key, checked);
}

/** @typedef {Model["name"]} Last */ // Model.name
`;
