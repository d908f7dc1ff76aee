import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { memberAt } from "@trainyard/core/validation";
import { expect, it } from "vitest";
import { workedGroup, type Measured } from "../src/build/group.ts";
import { eventFactsOf } from "../src/build/job-facts.ts";
import { dist, root, samples, site } from "../src/places.ts";
import { services } from "../src/reference/services.ts";
import { ensureSite } from "./browser.ts";

await ensureSite();
type Step = Readonly<Record<"reward" | "yes" | "no" | "maybe" | "equal_groups", number>>;
const measured: Measured & { readonly runs: readonly { readonly name: string; readonly steps: readonly Step[] }[] } =
  JSON.parse(readFileSync(join(samples, "programs/learning/runs.json"), "utf8"));
const drawings = new Map(
  globSync("public/drawings/*.svg", { cwd: site }).map((file) => [
    basename(file, ".svg"),
    readFileSync(join(site, file), "utf8"),
  ]),
);
const page = (name: string) => readFileSync(join(site, `src/content/docs/concepts/${name}.mdx`), "utf8");

it("the advantages of the group have the mean 0 and the standard deviation 1, and are on the page", () => {
  const { attempts, mean, std } = workedGroup(measured);
  const advantages = attempts.map(({ advantage }) => advantage);
  expect(attempts).toHaveLength(8);
  expect(advantages.reduce((sum, one) => sum + one, 0)).toBeCloseTo(0);
  expect(advantages.reduce((sum, one) => sum + one ** 2, 0) / 8).toBeCloseTo(1);
  const built = readFileSync(join(dist, "concepts/training/index.html"), "utf8");
  for (const number of [mean.toFixed(4), std.toFixed(4), ...advantages.map((one) => one.toFixed(2))])
    expect(built).toContain(number);
  const equal = workedGroup({ ...measured, group: measured.group.map((one) => ({ ...one, reward: 1 })) });
  expect(equal.attempts.map(({ advantage }) => advantage)).toEqual(Array.from({ length: 8 }, () => 0));
});

it("the runs have the results that the page describes", () => {
  const ends = Object.fromEntries(
    measured.runs.map(({ name, steps }) => {
      const last = steps.at(-1) ?? expect.unreachable();
      return [name, { reward: last.reward, proper: last.yes + last.no + last.maybe, equal: last.equal_groups }];
    }),
  );
  expect(ends["as-wanted"]?.reward).toBeGreaterThan(0.95);
  expect(ends["reward-hacking"]?.reward).toBeGreaterThan(0.9);
  expect(ends["reward-hacking"]?.proper).toBe(0);
  expect(ends["collapse"]).toEqual({ reward: 0, proper: 0, equal: 1 });
});

it("each message in the table of failures is one of the server or of the tiny trainer", () => {
  const source = globSync("packages/{server,tiny}/src/**/*.ts", { cwd: root })
    .map((file) => readFileSync(join(root, file), "utf8"))
    .join("\n");
  const [, table = ""] = page("jobs").split("## Why a job fails");
  const messages = [...table.matchAll(/^\|[^|]+\|\s*"([^"]+)"/gm)].map(([, message = ""]) => message);
  expect(messages.length).toBeGreaterThan(8);
  expect(messages.filter((message) => !source.includes(message))).toEqual([]);
});

it("the states and events on the page are those of the document", () => {
  const job = services()
    .find(({ name }) => name === "training")
    ?.document.schemas.get("TrainingJob");
  const states = Object(memberAt(job?.node, ["properties", "status", "enum"])).map(String);
  const events = eventFactsOf(services()).map(({ type }) => type);
  const [, table = ""] = page("jobs").split("| `status`");
  const [rows = ""] = table.split("\n\n");
  expect([...rows.matchAll(/^\| `(\w+)`/gm)].map(([, state]) => state)).toEqual(states);
  const twin = readFileSync(join(dist, "concepts/jobs.md"), "utf8");
  const [, drawn = ""] = twin.split("## Events");
  expect([...drawn.matchAll(/^\| `(\w+)`/gm)].map(([, event]) => event).slice(0, events.length)).toEqual(events);
  const drawnJob = drawings.get("job") ?? "";
  expect([...states, ...events].filter((name) => !drawnJob.includes(`>${name}<`))).toEqual([]);
});

it("each setting in the table of names is one of the contract's", () => {
  const document = services().find(({ name }) => name === "training")?.document;
  const properties = Object.keys(Object(document?.schemas.get("ExperimentalTrainingConfig")?.node["properties"]));
  const elsewhere = new Set(["max_completion_tokens", "attempts", "reward"]);
  const [, table = ""] = page("contract").split("## Names from other libraries");
  const named = [...table.matchAll(/^\|[^|]+\|([^|]+)\|/gm)].flatMap(([, right = ""]) =>
    [...right.matchAll(/`([a-z_]+)(?:: [^`]+)?`/g)].map(([, name = ""]) => name),
  );
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((name) => !properties.includes(name) && !elsewhere.has(name))).toEqual([]);
});

it("each drawing has a text that describes it", () => {
  expect(drawings.size).toBeGreaterThanOrEqual(9);
  for (const [name, svg] of drawings) {
    expect(svg).toContain(`aria-labelledby="drawing-${name}-title drawing-${name}-text"`);
    expect(/<desc [^>]*>([^<]+)</.exec(svg)?.[1]?.length).toBeGreaterThan(60);
  }
});

it("the drawings show what was measured, and the examples of the documents", () => {
  const { attempts, mean } = workedGroup(measured);
  const group = attempts.map(({ answer, reward }) => `${answer} ${reward}`).join(", ");
  expect(drawings.get("group")).toContain(`${group}. The mean is ${mean.toFixed(4)}`);
  for (const { name, steps } of measured.runs) {
    const rewards = steps.map(({ reward }) => reward.toFixed(2)).join(", ");
    expect(drawings.get(name)).toContain(`Mean reward by job: ${rewards}.`);
  }
  const inference = JSON.stringify(services().find(({ name }) => name === "inference")?.document.root);
  const streamed = [...(drawings.get("stream") ?? "").matchAll(/>“([^”]+)”</g)].map(([, text = ""]) => text);
  expect(streamed.filter((text) => !inference.includes(text))).toEqual([]);
});
