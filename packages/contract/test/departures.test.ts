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
import { Draft, tableOf, type TableRow } from "./draft.ts";

interface Steps {
  readonly service: string;
  /** The version that the edits make, and those in which something was marked before, the first of them this many days ago. */
  readonly version: string;
  readonly versions: readonly string[];
  readonly days: number;
  /** Edits in words: `released` of other releases, `marked`, `last` of the last release too, and `now`. */
  readonly edits: Readonly<Record<string, readonly string[]>>;
  readonly accepted?: string | undefined;
}

const day = 86_400_000;
const dateOf = (daysAgo: number): string => new Date(Date.now() - daysAgo * day).toISOString().slice(0, 10);

/** The whole check of some edits, 200 days after the release of 1.0.0. A service without edits is removed. */
function judge({ service, version, versions, days, edits, accepted }: Steps): CheckReport {
  const root = mkdtempSync(join(tmpdir(), "trainyard-leaving-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const draftOf = (of: string, isMarked: boolean, ...more: string[]): Draft => {
    const draft = new Draft(service);
    for (const when of ["released", ...(isMarked ? ["marked"] : []), ...more])
      for (const edit of edits[when] ?? []) draft.edit(edit);
    draft.set("/info/version", of);
    return draft;
  };
  const releases = ["1.0.0", ...versions].map((one, index): Release => {
    const { document } = draftOf(one, index > 0);
    const [date, names] = [dateOf(index === 0 ? Math.max(200, days) : days - index + 1), deprecatedIn(document)];
    return { version: one, date, contract: { [service]: one }, deprecated: { [service]: names } };
  });
  const last = draftOf(versions.at(-1) ?? "1.0.0", versions.length > 0, "last");
  const now = draftOf(version, versions.length > 0, "last", "now");
  mkdirSync(join(root, "openapi/released"), { recursive: true });
  mkdirSync(join(root, ".changeset"));
  writeFileSync(join(root, "openapi/releases.json"), JSON.stringify(releases.toReversed()));
  writeFileSync(join(root, `openapi/released/${service}.json`), JSON.stringify(last.document.root));
  if (accepted !== undefined) writeFileSync(join(root, ".changeset/one.md"), `---\n---\n\n${accepted}\n`);
  const report = reportService(root, service, last.document, edits["now"] ? now.document : undefined);
  return { base: { name: "main" }, services: [report], idle: idleAcceptances([report], readAcceptances(root)) };
}

const values = "Metric/properties/value_type";
const constants = "[{const: numeric}, {const: boolean}, {const: categorical, deprecated: true}]";

/**
 * A released contract, some edits, and the result of the whole check: it passes, or a part of the reasons of its refusal. A row
 * is `service: name | the version that the edits make | result`, and the version may follow those in which something was marked:
 * `1.1.0, 1.2.0 in 100 days, 2.0.0`.
 */
const rows = tableOf(`
training: a required property leaves, never deprecated | 2.0.0
  | Checkpoint.metrics leaves and was never released as deprecated.
  now remove Checkpoint/properties/metrics
  now take Checkpoint/required metrics
training: a property leaves that was deprecated in two minor versions for 30 days | 1.1.0, 1.2.0 in 30 days, 2.0.0
  | Checkpoint.metrics leaves and is deprecated since 1.1.0 of
  marked set Checkpoint/properties/metrics/deprecated true
  now remove Checkpoint/properties/metrics
  now take Checkpoint/required metrics
training: a property leaves that was deprecated for its term | 1.1.0, 1.2.0 in 100 days, 2.0.0 | passes
  marked set Checkpoint/properties/metrics/deprecated true
  now remove Checkpoint/properties/metrics
  now take Checkpoint/required metrics
auxiliary: a value of a request leaves, never deprecated | 2.0.0
  | 'categorical' of Metric.value_type leaves and was never released as deprecated.
  now take ${values}/enum categorical
auxiliary: a value leaves that was a deprecated constant for its term | 1.1.0, 1.2.0 in 100 days, 2.0.0 | passes
  marked set ${values}/oneOf ${constants}
  marked remove ${values}/enum
  now remove ${values}/oneOf/2
auxiliary: a value leaves that was deprecated for its term, and the others become an enumeration
  | 1.1.0, 1.2.0 in 100 days, 2.0.0 | passes
  marked set ${values}/oneOf ${constants}
  marked remove ${values}/enum
  now set ${values}/enum [numeric, boolean]
  now remove ${values}/oneOf
auxiliary: a value leaves that was deprecated in one minor version | 1.1.0 in 100 days, 2.0.0
  | it may leave after 1 more minor version.
  marked set ${values}/oneOf ${constants}
  marked remove ${values}/enum
  now remove ${values}/oneOf/2
auxiliary: a value leaves beside the one that was deprecated | 1.1.0, 1.2.0 in 100 days, 2.0.0
  | 'boolean' of Metric.value_type leaves and was never released as deprecated.
  marked set ${values}/oneOf ${constants}
  marked remove ${values}/enum
  now remove ${values}/oneOf/1
training: a value of an open set of responses leaves, never announced | 1.0.0 | passes
  released set ChatCompletionChunkChoice/properties/finish_reason/x-extensible true
  now take ChatCompletionChunkChoice/properties/finish_reason/enum stop
inference: a media type leaves, which nothing can mark | 2.0.0 | passes
  now remove chat.completions.create/responses/200/content/text~1event-stream
  now remove chat.completions.create/x-stream
training: a variant of a union leaves, never deprecated | 2.0.0
  | ResponseFormat(ResponseFormatText) leaves and was never released as deprecated.
  now remove ResponseFormat/oneOf/0
  now remove ResponseFormat/discriminator/mapping/text
training: a variant leaves that was deprecated for its term, at another place of the list
  | 1.1.0, 1.2.0 in 100 days, 2.0.0 | passes
  marked set ResponseFormat/oneOf/0/deprecated true
  now remove ResponseFormat/oneOf/0
  now reverse ResponseFormat/oneOf
  now remove ResponseFormat/discriminator/mapping/text
training: another variant leaves than the one that was deprecated at its place | 1.1.0, 1.2.0 in 100 days, 2.0.0
  | ResponseFormat(ResponseFormatText) leaves and was never released as deprecated.
  marked reverse ResponseFormat/oneOf
  marked set ResponseFormat/oneOf/0/deprecated true
  now remove ResponseFormat/oneOf/2
  now remove ResponseFormat/discriminator/mapping/text
training: a method is renamed, which nothing can mark | 1.0.0 | passes
  now set models.delete/x-client-method models.remove
training: an operation leaves that was deprecated for its term, with another name of its path parameter
  | 1.1.0, 1.2.0 in 100 days, 2.0.0 | passes
  marked set models.delete/deprecated true
  last rename /paths/~1v1~1preview~1models~1{model_id} /v1/preview/models/{id}
  now remove models.delete
training: an operation moves to another path, never deprecated | 2.0.0
  | health.check leaves and was never released as deprecated.
  now rename /paths/~1v1~1health /v1/healthz
training: a property that is only proposed leaves | 2.0.0 | passes
  now remove Health/properties/status
  now take Health/required status
training: a shared parameter that is only proposed leaves | 2.0.0 | passes
  now set models.create/parameters []
training: a parameter leaves that was deprecated for its term, at another place of the list
  | 1.1.0, 1.2.0 in 100 days, 2.0.0 | passes
  marked set models.checkpoints.list/parameters/2 {name: limit, in: query, schema: {type: integer}, deprecated: true}
  now remove models.checkpoints.list/parameters/2
  now reverse models.checkpoints.list/parameters
training: a parameter leaves, never deprecated | 2.0.0
  | models.checkpoints.list › query limit leaves and was never released as deprecated.
  now remove models.checkpoints.list/parameters/2
training: the type of a property changes, and the version is the same | 1.0.0
  | so 'info.version' has to be 2.0.0, and it is 1.0.0.
  now set Model/properties/project/type integer
training: a required property of a response becomes optional: nothing leaves | 2.0.0 | passes
  now take Checkpoint/required metrics
training: a deprecated property changes its type: nothing leaves | 1.1.0, 1.2.0 in 100 days, 2.0.0 | passes
  marked set Checkpoint/properties/metrics/deprecated true
  now set Checkpoint/properties/metrics/type string
training: a webhook leaves, never deprecated | 2.0.0 | leaves and was never released as deprecated.
  released set /webhooks {done: {post: {x-basis: interface, responses: {}}}}
  now remove /webhooks/done
training: a webhook leaves whose operation was deprecated for its term | 1.1.0, 1.2.0 in 100 days, 2.0.0 | passes
  released set /webhooks {done: {post: {x-basis: interface, responses: {}}}}
  marked set /webhooks/done/post/deprecated true
  now remove /webhooks/done
inference: a whole service leaves, never deprecated | 1.0.0
  | chat.completions.create leaves and was never released as deprecated.
`);

/** The steps of a row. */
function stepsOf({ of: service, cells: [releases = ""], lines }: TableRow): Steps {
  const [, marked = "", days = "0", version = ""] = /^(?:(.*) in (\d+) days, )?([\d.]+)$/.exec(releases) ?? [];
  const edits: Record<string, string[]> = {};
  for (const line of lines) {
    const [, when = "", edit = ""] = /^(\w+) (.*)$/.exec(line) ?? [];
    (edits[when] ??= []).push(edit);
  }
  const versions = marked.split(", ").filter(Boolean);
  return { service, version, versions, days: Number(days), edits };
}

/** What the check says of them. */
function resultOf(steps: Steps): string {
  const { services, idle } = judge(steps);
  const reasons = services.flatMap((service) => refusals(service).map(({ sentence }) => sentence));
  return [...reasons, ...idle].join("\n").replaceAll("`", "'") || "passes";
}

it.each(rows)("$name", (row) => {
  expect(resultOf(stepsOf(row))).toContain(row.cells[1]);
});

it("an acceptance of a limit does not cover the removal of its property", () => {
  const accepted = "Accepted: `Checkpoint.metrics` limit-tightened `0 → 1`: The minimum was never below 1.";
  const [first] = rows.map(stepsOf);
  expect(first && resultOf({ ...first, version: "1.0.0", accepted })).toContain(
    "accepts 'Checkpoint.metrics' limit-tightened '0 → 1', and the change is another one.",
  );
});

it.each(Object.entries(formats))("a report says since when a removal was announced: %s", (_, format) => {
  const row = rows.find(({ name }) => name === "a value leaves that was a deprecated constant for its term");
  const text = row && format(judge(stepsOf(row)));
  expect(text).toMatch(/Announced since 1\.1\.0 of \d{4}-\d\d-\d\d\./);
});
