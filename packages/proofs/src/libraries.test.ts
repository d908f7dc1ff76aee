/**
 * Third-party libraries against the local server, also through `trainyard verify --proxy`, and the mock. `pnpm exec vitest run --project libraries` runs the libraries themselves;
 * `pnpm test` sends their recorded requests, from a fixture that `LIBRARIES=write pnpm exec vitest run --project libraries` records.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mockService, startMock } from "@trainyard/mock";
import { installTools } from "@trainyard/release/tools";
import { createServer } from "@trainyard/server";
import { libraryFixture, recordedLibraries } from "@trainyard/testing";
import { program } from "@trainyard/testing/browser";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundlePage, runPage } from "./in-page.ts";
import { outcomesOf, pythonWithOpenai, type Outcome } from "./libraries/outcomes.ts";
import { listen } from "./verify/listening.ts";

const amount = process.env["LIBRARIES"];
const key = "key-of-harbor";
const server = createServer({ keys: [{ key, entity: "harbor" }], checkAnswers: true });
const url = await server.listen({ port: 0 });
const proxy = await listen([url]);
afterAll(() => server.close());

const describeOutcome = ({ service, library, name, fault }: Outcome): string =>
  `${service}, ${library}, ${name}: ${fault}`;

describe("the requests that libraries send", () => {
  const services = ["inference", "training"] as const;
  const targets = services.flatMap((service) => [
    { at: "server", service, ...server.connect(service) },
    { at: "mock", service, ...mockService(service, { keys: [key] }).connect() },
    { at: "proxy", service, baseUrl: proxy.base + (service === "inference" ? "/inference/v1" : ""), fetch },
  ]);

  it.each(recordedLibraries())("succeed: line $line, $library, $name", async ({ line, calls }) => {
    for (const { at, service, baseUrl, fetch } of targets) {
      for (const { method, path, headers, body, status } of calls) {
        const isList = path.startsWith("/models");
        if (isList && service === "training") continue;
        const wrongKey = status === 401 ? "wrong" : key;
        const response = await fetch(`${baseUrl}${service === "training" ? "/v1" : ""}${path}`, {
          method,
          headers: { ...headers, authorization: `Bearer ${wrongKey}` },
          ...(body !== null && { body: JSON.stringify(body) }),
        });
        const expected = status === 400 && service === "training" ? 422 : status;
        const text = await response.text();
        expect({ line, at, service, status: response.status, text }).toMatchObject({ status: expected });
      }
    }
  });
});

it("get responses that match the documents", () => {
  expect(server.violations()).toEqual([]);
});

describe.each(amount === undefined ? [] : [amount])("the libraries themselves, %s", (amount) => {
  const folder = join(import.meta.dirname, "../tools/libraries");
  let outcomes: Outcome[] = [];
  let targets: object[] = [];
  let mock: Awaited<ReturnType<typeof startMock>>;
  beforeAll(async () => {
    installTools("libraries");
    mock = await startMock({ keys: [key] });
    targets = Object.entries({ server: url, mock: mock.url, proxy: proxy.base }).flatMap(([name, at]) => [
      { server: name, service: "inference", baseURL: `${at}/inference/v1`, apiKey: key, model: "demo/tiny" },
      { server: name, service: "training", baseURL: `${at}/v1`, apiKey: key, model: "demo/tiny" },
    ]);
    const args = [
      "--conditions=@trainyard/source",
      "--disable-warning=ExperimentalWarning",
      join(folder, "program.ts"),
    ];
    outcomes = await outcomesOf(process.execPath, args, targets);
  }, 600_000);
  afterAll(() => mock.close());

  it("accept the types of the documents", () => {
    const tsc = join(import.meta.dirname, "../../../node_modules/typescript/bin/tsc");
    const { status, stdout } = spawnSync(process.execPath, [tsc, "-p", folder], { encoding: "utf8" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "" });
  });

  it.each(["server", "mock", "proxy"] as const)("succeed in every call against the %s", (at) => {
    expect(judge(outcomes, at)).toBeGreaterThan(110);
  });

  it("behave through `verify --proxy` as without it", () => {
    // The words of the model are drawn anew, also those that the next request repeats.
    const of = (at: Outcome["server"]) =>
      outcomes
        .filter((one) => one.server === at)
        .map(({ service, library, name, fault, sent }) => ({
          service,
          library,
          name,
          fault,
          sent: sent.map((request) => ({ ...request, body: undefined })),
        }));
    expect(of("proxy")).toEqual(of("server"));
  });

  it("sends the requests in the fixture", () => {
    const calls = outcomes.filter((one) => one.server === "server" && one.service === "inference");
    const lines = calls.map(({ library, name, sent }) => JSON.stringify({ library, name, calls: sent }));
    if (amount === "write") writeFileSync(libraryFixture, `${lines.join("\n")}\n`);
    const names = ({ library, name }: { library: string; name: string }) => `${library}, ${name}`;
    expect(recordedLibraries().map(names)).toEqual(calls.map(names));
  });

  it.skipIf(program === undefined)("work in a page in Chromium", async () => {
    const addresses = JSON.stringify({ inference: `${url}/inference/v1`, training: `${url}/v1` });
    const page = mkdtempSync(join(tmpdir(), "trainyard-page-"));
    onTestFinished(() => rmSync(page, { recursive: true }));
    await runPage(await bundlePage(join(folder, "page.ts"), page), { addresses, key });
  });

  const python = pythonWithOpenai();
  // Whoever names a Python requires it.
  it.skipIf(python === undefined && process.env["PYTHON"] === undefined)("work in Python", async () => {
    const all = await outcomesOf(python ?? String(process.env["PYTHON"]), [join(folder, "program.py")], targets);
    for (const at of ["server", "mock"] as const) expect(judge(all, at)).toBeGreaterThan(30);
  });
});

it("contradict nothing by `verify --proxy`", async () => {
  const { code, out, err } = await proxy.end();
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining("contradicts") });
  expect(out).toMatch(/inference chat\.completions\.create +200 ×\d+/);
});

/** Checks that every call succeeds, and returns their number. */
function judge(outcomes: readonly Outcome[], at: Outcome["server"]): number {
  const own = outcomes.filter((one) => one.server === at);
  const failed = own.filter(({ fault }) => fault !== null);
  const rows = own.map((one) => `  ${one.fault === null ? "passes" : "FAILS "} ${describeOutcome(one)}`);
  console.log(`libraries: ${own.length - failed.length} of ${own.length} calls succeed against the ${at}`);
  console.log(rows.join("\n").replaceAll(": null", ""));
  expect(failed.map(describeOutcome)).toEqual([]);
  return own.length;
}
