import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Release } from "@trainyard/document";
import { expect, it, onTestFinished } from "vitest";
import { deprecatedIn } from "../src/deprecation.ts";
import { idleAcceptances, readAcceptances } from "../src/acceptance.ts";
import { formats } from "../src/report/formats.ts";
import type { CheckReport } from "../src/report/model.ts";
import { refusals } from "../src/report/sentence.ts";
import { reportService } from "../src/service-report.ts";
import { Draft } from "./draft.ts";
import { type JsonObject, isObject } from "../src/json.ts";

type Edit = (draft: Draft) => void;

interface Steps {
  readonly service: string;
  /** What was marked, in which versions, the first of them this many days ago. Undefined if nothing was. */
  readonly marked?: { readonly edit: Edit; readonly versions: readonly string[]; readonly days: number };
  /** What other releases changed. */
  readonly released?: Edit;
  /** What the last release changed beside. */
  readonly between?: Edit;
  /** Undefined if the service is removed. */
  readonly edit: Edit | undefined;
  readonly version?: string;
  readonly accepted?: string;
}

const day = 86_400_000;
const dateOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * day).toISOString().slice(0, 10);

/** The whole check of one edit, 200 days after the release of 1.0.0. */
function judge({
  service,
  marked,
  released = () => undefined,
  between,
  edit,
  version = "1.0.0",
  accepted,
}: Steps): CheckReport {
  const root = mkdtempSync(join(tmpdir(), "trainyard-leaving-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const { versions = [], days = 0 } = marked ?? {};
  const draftOf = (of: string, isMarked: boolean): Draft => {
    const draft = new Draft(service);
    released(draft);
    if (isMarked) marked?.edit(draft);
    draft.set("/info/version", of);
    return draft;
  };
  const releases = ["1.0.0", ...versions].map((one, index): Release => {
    const { document } = draftOf(one, index > 0);
    const [date, names] = [dateOf(index === 0 ? Math.max(200, days) : days - index + 1), deprecatedIn(document)];
    return { version: one, date, contract: { [service]: one }, deprecated: { [service]: names } };
  });
  const last = draftOf(versions.at(-1) ?? "1.0.0", versions.length > 0);
  const now = draftOf(version, versions.length > 0);
  for (const draft of [last, now]) between?.(draft);
  edit?.(now);
  mkdirSync(join(root, "openapi/released"), { recursive: true });
  mkdirSync(join(root, ".changeset"));
  writeFileSync(join(root, "openapi/releases.json"), JSON.stringify(releases.toReversed()));
  writeFileSync(join(root, `openapi/released/${service}.json`), JSON.stringify(last.document.root));
  if (accepted !== undefined) writeFileSync(join(root, ".changeset/one.md"), `---\n---\n\n${accepted}\n`);
  const report = reportService(root, service, last.document, edit === undefined ? undefined : now.document);
  return { base: { name: "main" }, services: [report], idle: idleAcceptances([report], readAcceptances(root)) };
}

const remove =
  (path: string): Edit =>
  (draft) =>
    draft.remove(path);
const mark =
  (path: string): Edit =>
  (draft) => {
    draft.object(path)["deprecated"] = true;
  };
const leave =
  (path: string, entry: JsonObject): Edit =>
  (draft) => {
    draft.object(path)["x-leaving"] = [{ until: "2.0.0", instead: "Use another one.", ...entry }];
  };
/** Released in two minor versions, the first of them 100 days ago. */
const twice = { versions: ["1.1.0", "1.2.0"], days: 100 };

const property = "Checkpoint/properties/metrics";
const noProperty: Edit = (draft) => {
  draft.remove(property);
  draft.take("Checkpoint/required", "metrics");
};
const values = "Metric/properties/value_type";
const noValue: Edit = (draft) => {
  draft.take(`${values}/enum`, "categorical");
  delete draft.object(values)["x-leaving"];
};
const answer = "chat.completions.create/responses/200";
const noEvents: Edit = (draft) => {
  draft.remove(`${answer}/content/text~1event-stream`);
  draft.remove("chat.completions.create/x-stream");
  delete draft.object(answer)["x-leaving"];
};
const rename: Edit = (draft) => draft.set("models.delete/x-client-method", "models.remove");
const bothNames: Edit = (draft) => {
  leave("models.delete", { method: "models.delete", instead: "models.remove" })(draft);
  rename(draft);
};
const union = "ResponseFormat/oneOf";
const noVariant: Edit = (draft) => {
  const text = { $ref: "#/components/schemas/ResponseFormatText" };
  draft.set(
    union,
    draft.list(union).filter((one) => !isObject(one) || one["$ref"] !== text.$ref),
  );
  draft.remove("ResponseFormat/discriminator/mapping/text");
};
const parameters = "models.checkpoints.list/parameters";
const noLimit: Edit = (draft) => {
  draft.set(
    parameters,
    draft.list(parameters).filter((one) => !JSON.stringify(one).includes("imit")),
  );
};
const ownLimit: Edit = (draft) => {
  draft.list(parameters)[2] = { name: "limit", in: "query", schema: { type: "integer" }, deprecated: true };
};
const reason = "ChatCompletionChunkChoice/properties/finish_reason";
const open: Edit = (draft) => draft.set(`${reason}/x-extensible`, true);
const turned =
  (path: string): Edit =>
  (draft) =>
    draft.set(path, draft.list(path).toReversed());
const both =
  (...edits: readonly Edit[]): Edit =>
  (draft) => {
    for (const edit of edits) edit(draft);
  };
const training = { service: "training" };
const auxiliary = { service: "auxiliary" };
const inference = { service: "inference" };
const major = { version: "2.0.0" };

const webhook: Edit = (draft) => draft.set("/webhooks", { done: { post: { "x-basis": "interface", responses: {} } } });

/** A released contract, one edit, and the result of the whole check: it passes, or a part of the reasons of its refusal. */
const rows: readonly (readonly [name: string, steps: Steps, result: string])[] = [
  [
    "a required property leaves, never deprecated",
    { ...training, edit: noProperty, ...major },
    "Checkpoint.metrics leaves and was never released as deprecated.",
  ],
  [
    "a property leaves that was deprecated in two minor versions for 30 days",
    { ...training, marked: { ...twice, days: 30, edit: mark(property) }, edit: noProperty, ...major },
    "Checkpoint.metrics leaves and is deprecated since 1.1.0 of",
  ],
  [
    "a property leaves that was deprecated for its term",
    { ...training, marked: { ...twice, edit: mark(property) }, edit: noProperty, ...major },
    "passes",
  ],
  [
    "a value of a request leaves, never announced",
    { ...auxiliary, edit: noValue, ...major },
    "`categorical` of Metric.value_type leaves and was never announced in `x-leaving`.",
  ],
  [
    "a value leaves that was announced for its term",
    { ...auxiliary, marked: { ...twice, edit: leave(values, { value: "categorical" }) }, edit: noValue, ...major },
    "passes",
  ],
  [
    "a value leaves that was announced in one minor version",
    {
      ...auxiliary,
      marked: { versions: ["1.1.0"], days: 100, edit: leave(values, { value: "categorical" }) },
      edit: noValue,
      ...major,
    },
    "it may leave after 1 more minor version.",
  ],
  [
    "a value leaves beside the one that was announced",
    { ...auxiliary, marked: { ...twice, edit: leave(values, { value: "boolean" }) }, edit: noValue, ...major },
    "`categorical` of Metric.value_type leaves and was never announced in `x-leaving`.",
  ],
  [
    "a value leaves before the version that was announced",
    {
      ...auxiliary,
      marked: { ...twice, edit: leave(values, { value: "categorical", until: "3.0.0" }) },
      edit: noValue,
      ...major,
    },
    "it may leave with version 3.0.0.",
  ],
  [
    "a value of an open set of responses leaves, never announced",
    {
      ...training,
      released: open,
      edit: (draft) => draft.take(`${reason}/enum`, "stop"),
    },
    "passes",
  ],
  [
    "a media type leaves, never announced",
    { ...inference, edit: noEvents, ...major },
    "`text/event-stream` of chat.completions.create › 200 leaves and was never announced in `x-leaving`.",
  ],
  [
    "a media type leaves that was announced for its term",
    {
      ...inference,
      marked: { ...twice, edit: leave(answer, { media: "text/event-stream" }) },
      edit: noEvents,
      ...major,
    },
    "passes",
  ],
  [
    "a variant of a union leaves, never deprecated",
    { ...training, edit: noVariant, ...major },
    "ResponseFormat(ResponseFormatText) leaves and was never released as deprecated.",
  ],
  [
    "a variant leaves that was deprecated for its term, at another place of the list",
    { ...training, marked: { ...twice, edit: mark(`${union}/0`) }, edit: both(turned(union), noVariant), ...major },
    "passes",
  ],
  [
    "another variant leaves than the one that was deprecated at its place",
    { ...training, marked: { ...twice, edit: both(turned(union), mark(`${union}/0`)) }, edit: noVariant, ...major },
    "ResponseFormat(ResponseFormatText) leaves and was never released as deprecated.",
  ],
  [
    "a method is renamed at once",
    { ...training, edit: rename },
    "`models.delete` of models.remove leaves and was never announced in `x-leaving`.",
  ],
  ["a method is renamed and keeps its former name", { ...training, edit: bothNames, version: "1.1.0" }, "passes"],
  [
    "the former name of a method leaves after its term",
    { ...training, marked: { ...twice, edit: bothNames }, edit: remove("models.remove/x-leaving"), version: "1.2.0" },
    "passes",
  ],
  [
    "the former name of a method leaves after 30 days",
    {
      ...training,
      marked: { ...twice, days: 30, edit: bothNames },
      edit: remove("models.remove/x-leaving"),
      version: "1.2.0",
    },
    "`models.delete` of models.remove leaves and is announced in `x-leaving` since 1.1.0 of",
  ],
  [
    "an operation leaves that was deprecated for its term, with another name of its path parameter",
    {
      ...training,
      marked: { ...twice, edit: mark("models.delete") },
      between: (draft) => {
        const paths = draft.object("/paths");
        paths["/v1/preview/models/{id}"] = paths["/v1/preview/models/{model_id}"] ?? {};
        delete paths["/v1/preview/models/{model_id}"];
      },
      edit: remove("models.delete"),
      ...major,
    },
    "passes",
  ],
  [
    "an operation moves to another path, never deprecated",
    {
      ...training,
      edit: (draft) => {
        draft.set("/paths/~1v1~1healthz", draft.get("/paths/~1v1~1health"));
        draft.remove("/paths/~1v1~1health");
      },
      ...major,
    },
    "health.check leaves and was never released as deprecated.",
  ],
  [
    "a property that is only proposed leaves",
    {
      ...training,
      edit: both(remove("Health/properties/status"), (draft) => draft.take("Health/required", "status")),
      ...major,
    },
    "passes",
  ],
  [
    "a shared parameter that is only proposed leaves",
    { ...training, edit: (draft) => draft.set("models.create/parameters", []), ...major },
    "passes",
  ],
  [
    "a parameter leaves that was deprecated for its term, at another place of the list",
    { ...training, marked: { ...twice, edit: ownLimit }, edit: both(turned(parameters), noLimit), ...major },
    "passes",
  ],
  [
    "a parameter leaves, never deprecated",
    { ...training, edit: noLimit, ...major },
    "models.checkpoints.list › query limit leaves and was never released as deprecated.",
  ],
  [
    "the type of a property changes, and the version is the same",
    { ...training, edit: (draft) => draft.set("Model/properties/project/type", "integer") },
    "so `info.version` has to be 2.0.0, and it is 1.0.0.",
  ],
  [
    "an acceptance of a limit does not cover the removal of its property",
    {
      ...training,
      accepted: "Accepted: `Checkpoint.metrics` limit-tightened `0 → 1`: The minimum was never below 1.",
      edit: noProperty,
    },
    "accepts `Checkpoint.metrics` limit-tightened `0 → 1`, and the change is another one.",
  ],
  [
    "a required property of a response becomes optional: nothing leaves",
    { ...training, edit: (draft) => draft.take("Checkpoint/required", "metrics"), ...major },
    "passes",
  ],
  [
    "a deprecated property changes its type: nothing leaves",
    {
      ...training,
      marked: { ...twice, edit: mark(property) },
      edit: (draft) => draft.set(`${property}/type`, "string"),
      ...major,
    },
    "passes",
  ],
  [
    "a webhook leaves, never deprecated",
    { ...training, released: webhook, edit: remove("/webhooks/done"), ...major },
    "leaves and was never released as deprecated.",
  ],
  [
    "a webhook leaves whose operation was deprecated for its term",
    {
      ...training,
      released: webhook,
      marked: { ...twice, edit: mark("/webhooks/done/post") },
      edit: remove("/webhooks/done"),
      ...major,
    },
    "passes",
  ],
  [
    "a whole service leaves, never deprecated",
    { ...inference, edit: undefined },
    "chat.completions.create leaves and was never released as deprecated.",
  ],
];

it.each(rows)("%s", (_, steps, result) => {
  const { services, idle } = judge(steps);
  const reasons = services.flatMap((service) => refusals(service).map(({ sentence }) => sentence));
  expect([...reasons, ...idle].join("\n") || "passes").toContain(result);
});

it.each(Object.entries(formats))("a report says since when and until when a removal was announced: %s", (_, format) => {
  const marked = { ...twice, edit: leave(values, { value: "categorical" }) };
  const text = format(judge({ ...auxiliary, marked, edit: noValue, ...major }));
  expect(text).toMatch(/Announced since 1\.1\.0 of \d{4}-\d\d-\d\d, until 2\.0\.0\./);
});
