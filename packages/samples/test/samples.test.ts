import { randomUUID } from "node:crypto";
import { existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAuxiliaryClient } from "@trainyard/auxiliary";
import { startMock } from "@trainyard/mock";
import { memberAt } from "@trainyard/core/validation";
import { isPage, packages } from "@trainyard/testing/services";
import { createTrainingClient } from "@trainyard/training";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startServices } from "../start/services.ts";
import { tellStory } from "../start/story.ts";
import { startProxy } from "./proxy.ts";
import { available, run } from "./run.ts";

// Every sample runs against the mock, and against what `pnpm start` serves after its own calls, with the variables that it
// prints. `pnpm exec vitest run --project all-samples` runs them twice in a row: a sample must also work with the data that it created before.
const rounds = Array.from(
  { length: Number(process.env["SAMPLE_ROUNDS"] ?? 1) },
  (_, round) => round + 1,
);
const root = join(import.meta.dirname, "..");
const find = (pattern: string): string[] =>
  globSync(pattern, { cwd: root })
    .map((file) => file.replaceAll("\\", "/"))
    .toSorted();
/** The services that have samples. */
const services = packages
  .map(({ name }) => name)
  .filter((name) => existsSync(join(root, name)));
/** The variables with the addresses of the services. */
const addresses = (of: (service: string) => string): Record<string, string> =>
  Object.fromEntries(
    services.map((name) => [`TRAINYARD_${name.toUpperCase()}_URL`, of(name)]),
  );
/** The files of one language that show one call each. */
const ofServices = (ending: string): string[] =>
  services.flatMap((service) => find(`${service}/*${ending}`));
const samples = [...ofServices(".ts"), ...find("programs/*.ts")].toSorted();
/** Those that wait, or train a model. */
const longSamples = new Set([
  "programs/control.ts",
  "programs/connections.ts",
  "programs/local-server.ts",
  "programs/training-rl.ts",
  "programs/training-sft.ts",
]);
const shell = available("sh", ["-c", "curl --version"]);
const python = available("python3", ["-c", "import json, urllib.request"]);

const printed: string[] = [];
beforeAll(() => {
  for (const level of ["log", "info", "error"] as const)
    vi.spyOn(console, level).mockImplementation(
      (...parts: unknown[]) => void printed.push(parts.join(" ")),
    );
  vi.spyOn(process.stdout, "write").mockImplementation(
    (text) => printed.push(String(text)) > 0,
  );
});
afterEach(() => void printed.splice(0));
afterAll(() => vi.restoreAllMocks());

const mock = await startMock();
const proxy = await startProxy();
const notes = mkdtempSync(join(tmpdir(), "trainyard-samples-"));
afterAll(async () => {
  rmSync(notes, { recursive: true });
  proxy.close();
  await mock.close();
});

it("there are samples", () => expect(samples.length).toBeGreaterThan(25));

/** A pattern for the output of a sample that must print more than something. */
const prints: Record<string, RegExp> = {
  "mock programs/stop.ts": /\nstopped after: \S/,
  "mock programs/hooks.ts":
    /attempt 1 200 .*health\.check answered 200.*req_.*req_\w+ models\.delete: answered 404/s,
  "mock programs/tracing.ts":
    /^GET \/v1\/health .*"http.response.status_code":503.*^GET .*"http.request.resend_count":1.*"http.response.status_code":200,"http.response.header.x-request-id":\["req_/ms,
};

/** Runs all samples with these variables, and returns their output. `plan` plans responses that the service does not return by itself. */
function runAll(
  service: string,
  variables: () => Readonly<Record<string, string>>,
  plan: (sample: string) => void = () => undefined,
): readonly string[] {
  const environment = () => ({
    ...variables(),
    TRAINYARD_PROXY: proxy.url,
    ROLLOUTS_DONE: join(notes, randomUUID()),
  });
  const outputs: string[] = [];

  describe.each(rounds)("round %i", (round) => {
    for (const sample of samples) {
      const tags = longSamples.has(sample) ? ["long"] : [];
      it(`${sample} runs and prints its result`, { tags }, async () => {
        for (const [name, value] of Object.entries(environment()))
          vi.stubEnv(name, value);
        plan(sample);
        await import(
          /* @vite-ignore */ `${join(root, sample)}?${service}-${round}`
        );
        const output = printed.join("\n");
        expect(output).toMatch(prints[`${service} ${sample}`] ?? /\S/);
        expect(output).not.toMatch(/\b(0 tokens|undefined)\b/);
        outputs.push(output);
      });
    }

    it.skipIf(!shell).each(ofServices(".sh"))(
      "%s runs with curl",
      async (sample) => {
        const { status, output, errors } = await run(
          "sh",
          [sample],
          root,
          environment(),
        );
        expect({ status, errors, output }).toMatchObject({ status: 0, errors: "" });
        expect(JSON.parse(output)).toBeTypeOf("object");
        outputs.push(output);
      },
    );

    it.skipIf(!python)("the samples in Python run", async () => {
      const files = ofServices(".py");
      // All in one process, because starting Python takes most of the time.
      const all =
        "import runpy, sys\nfor file in sys.argv[1:]:\n    print('#', file)\n    runpy.run_path(file)\n";
      const { status, output, errors } = await run(
        "python3",
        ["-c", all, ...files],
        root,
        environment(),
      );
      expect({ status, errors }).toEqual({ status: 0, errors: "" });
      for (const file of files)
        expect(output).toMatch(new RegExp(`# ${file}\\n[{[]`));
      outputs.push(output);
    });
  });

  afterAll(() => vi.unstubAllEnvs());

  return outputs;
}

describe("against the mock", () => {
  const plans: Record<string, () => void> = {
    "programs/chat-tools.ts": () =>
      mock
        .service("inference")
        .once("chat.completions.create", { example: "tools" }),
    "programs/objects.ts": () => {
      const objects = mock.service("auxiliary");
      objects.once("objects.read", { example: "by-alias" });
      objects.once("objects.read", { example: "metadata-only" });
      objects.once("objects.read", { status: 404 });
    },
    "programs/tracing.ts": () =>
      mock.service("training").once("health.check", { status: 503, retryAfter: 0 }),
  };
  const base = (service: string) => mock.connect(service).baseUrl;
  const variables = {
    TRAINYARD_API_KEY: "a-key-for-the-mock",
    TRAINYARD_ACCESS_TOKEN: "a-token-for-the-mock",
    ...addresses(base),
  };
  runAll(
    "mock",
    () => variables,
    (sample) => plans[sample]?.(),
  );
});

describe("against what start serves", { tags: ["long"] }, () => {
  let services: Awaited<ReturnType<typeof startServices>>;
  let clients: Clients[] = [];
  beforeAll(async () => {
    services = await startServices({ port: 0 });
    clients = [services.server, mock].map(clientsOf);
    await tellStory(services.server);
  });
  afterAll(() => services.close());
  const model = "6f1d2c84-3b5e-4f0a-9c27-8e4b1a5d7f30";
  const job = "d4f8a2b6-7c1e-4935-9ae0-5b6d8c2f1e43";
  const failed = "91a5e7c3-8b2d-4f46-a0d8-c7e4f9b1d632";
  const fineTuning = "b1e7c4d9-2f6a-4c83-8d5e-0a9b3f7c6e21";
  const project_id = "harbor/support-desk";
  const object = { project_id, object_id: "agent-1-instructions" };
  const score = { json_path: "output.score" };
  const day = {
    project_id,
    start: "2026-11-04T00:00:00Z",
    end: "2026-11-05T00:00:00Z",
  };
  const morning = {
    project_id,
    start: "2026-11-04T06:00:00Z",
    end: "2026-11-04T10:00:00Z",
  };
  const night = {
    project_id,
    start: "2026-11-01T04:00:00Z",
    end: "2026-11-01T08:00:00Z",
  };

  const model1 = {
    project: "support-desk",
    name: "agent-1",
    base_model: "demo/tiny",
  };
  const mean = { ...score, aggregations: ["avg", "max"], percentiles: [5, 50, 95] };
  const all = ["sum", "avg", "min", "max", "count"];
  const passed = { json_path: "output.passed", value_type: "boolean" };
  const labels = { json_path: "output.label", value_type: "categorical" };
  const thumbs = { json_path: "thumbs_up", value_type: "boolean" };

  it.each<[operation: string, example: string, sent: unknown]>([
    ["models.create", "with-run", { ...model1, return_existing: true }],
    ["models.checkpoints.list", "all", model],
    ["trainingJobs.get", "completed", job],
    ["trainingJobs.get", "failed", failed],
    ["trainingJobs.events.list", "completed", job],
    ["trainingJobs.events.list", "fine-tuning", fineTuning],
    ["trainingJobs.events.list", "failed", failed],
    [
      "objects.read",
      "by-alias",
      { ...object, digest: "production", include_tags_and_aliases: true },
    ],
    ["objects.read", "by-version", { ...object, digest: "v0" }],
    [
      "objects.read",
      "metadata-only",
      { ...object, digest: "latest", metadata_only: true },
    ],
    ["hardware.list", "two-options", { model: "tiny" }],
    [
      "feedback.stats",
      "percentiles",
      {
        ...day,
        feedback_type: "quality-monitor",
        trigger_ref: "answer-quality:*",
        metrics: [mean],
      },
    ],
    [
      "feedback.stats",
      "empty-buckets",
      {
        ...morning,
        granularity: 3600,
        metrics: [
          { ...score, aggregations: all, percentiles: [95] },
          passed,
          labels,
        ],
      },
    ],
    [
      "feedback.stats",
      "clock-change",
      {
        ...night,
        feedback_type: "rating",
        granularity: 3600,
        timezone: "America/New_York",
        metrics: [thumbs],
      },
    ],
  ])("%s returns its example %s", async (operation, example, sent) => {
    const service: string = /^(objects|hardware|feedback)/.test(operation)
      ? "auxiliary"
      : "training";
    mock.service(service).once(operation, { example });
    const [real, shown] = await Promise.all(
      clients.map(async (one) => {
        const [method = "", ...names] = operation.split(".").toReversed();
        const holder = Object(memberAt(one, [service, ...names.toReversed()]));
        const answer = await holder[method](sent);
        return isPage(answer) ? answer.data : answer;
      }),
    );
    expect(alike(real)).toEqual(alike(shown));
  });

  // A service that was added is served as well, but has no variable among those that start prints.
  const at = (name: string) =>
    services.url +
    new URL(services.server.connect(name).baseUrl).pathname.replace(/\/$/, "");
  const outputs = runAll("start", () => ({
    ...addresses(at),
    ...services.variables,
  }));

  it("every job that the samples created completes", async () => {
    const { training } = clients[0] ?? expect.unreachable();
    const ids = new Set(
      outputs.join("\n").match(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g),
    );
    let jobs = 0;
    for (const id of ids) {
      const job = await training.trainingJobs.get(id).catch(() => undefined);
      if (job === undefined) continue;
      jobs++;
      // Throws if the job fails.
      for await (const event of training.trainingJobs.follow(id, { pollMs: 50 }))
        expect(event.type).toBeDefined();
    }
    expect(jobs).toBeGreaterThan(1);
  });
});

function clientsOf(service: Pick<typeof mock, "connect">) {
  return {
    training: createTrainingClient(service.connect("training")),
    auxiliary: createAuxiliaryClient(service.connect("auxiliary")),
  };
}
type Clients = ReturnType<typeof clientsOf>;

/** A value with its numbers to six digits and its times to the second, as the documents write them. */
function alike(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (_, part: unknown) =>
      typeof part === "number"
        ? Math.round(part * 1e6) / 1e6
        : typeof part === "string"
          ? part.replace(/\.000Z$/, "Z")
          : part,
    ),
  );
}
