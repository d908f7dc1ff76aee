import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { makeTemporaryFolder } from "./temporary-folder.ts";
import { root } from "../src/lib/workspace.ts";

const { proofs }: { proofs: object } = await import(pathToFileURL(join(root, "scripts/proofs.ts")).href);

it("workflows fetch nothing whose version floats", () => {
  const files = globSync(".github/{workflows,actions}/**/*.yml", { cwd: root });
  expect(files.length).toBeGreaterThan(4);
  const fetched = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = text.matchAll(
      /uses: +([^.\s][^\s]*)|\b(?:npx (?:-y )?|pipx run --spec +|(?:pip|npm) install (?:--\S+ )*)((?!-)[^\s"']+)/g,
    );
    return [...found].map(([, action, tool = ""]) => ({ file, action, tool }));
  });
  expect(fetched.length).toBeGreaterThan(20);
  const exact = ({ action, tool }: (typeof fetched)[number]): boolean =>
    action === undefined ? /(@|==)\d+\.\d+\.\d+/.test(tool) : /@[\da-f]{40}$/.test(action);
  expect(fetched.filter((one) => !exact(one))).toEqual([]);
});

/** A job of a workflow. */
interface Job {
  readonly strategy?: { readonly matrix: { readonly script?: string[] } };
  readonly steps?: readonly { readonly run?: string }[];
}

const jobs = globSync(".github/workflows/*.yml", { cwd: root }).flatMap((file): Job[] => {
  const workflow: { jobs: Record<string, Job> } = parse(readFileSync(join(root, file), "utf8"));
  return Object.values(workflow.jobs);
});

it("each step of the workflows is shell that can be read", () => {
  const steps = jobs.flatMap((job) => (job.steps ?? []).flatMap(({ run = [] }) => run));
  expect(steps.length).toBeGreaterThan(25);
  for (const step of steps) {
    const { status, stderr } = spawnSync("bash", ["-n"], { input: step, encoding: "utf8" });
    expect({ step, status, stderr }).toMatchObject({ status: 0, stderr: "" });
  }
});

it("the workflows run every proof", () => {
  const scripts = jobs.flatMap(({ strategy }) => strategy?.matrix.script ?? []);
  const wanted = Object.keys(proofs).map((name) => `exec vitest run --project ${name}`);
  expect(scripts).toEqual(expect.arrayContaining([...wanted, "exec vitest run --tags-filter long"]));
});

/** Runs `.ci/run` itself, with an `npx` that says how a part ends, and a Chromium, so that nothing is installed. */
function integrate(broken: string) {
  const folder = makeTemporaryFolder("ci");
  const npx = `#!/bin/sh
echo "$*" >>"$0.calls"
if [ "$*" = "-y pnpm@12 --silent $BROKEN" ]; then echo '9 passed, 1 failed, 0 skipped'; exit 3; fi
echo '10 passed, 0 failed, 0 skipped'
`;
  for (const [name, text] of Object.entries({ npx, chromium: "#!/bin/sh\n", "apt-get": "#!/bin/sh\nexit 9\n" }))
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  const { status, stdout } = spawnSync("bash", [join(root, ".ci/run")], {
    cwd: folder,
    encoding: "utf8",
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}`, BROKEN: broken },
  });
  const calls = readFileSync(join(folder, "npx.calls"), "utf8").trim().split("\n");
  return {
    status,
    last: stdout.trimEnd().split("\n").at(-1),
    calls: calls.map((call) => call.replace("-y pnpm@12 ", "")),
  };
}

const decisive = ["bench size --check", "exec vitest run --project libraries", "release dry", "test"];

it.skipIf(process.platform === "win32").each(["", ...decisive])(
  "continuous integration runs what decides, the README's test command last: broken %j",
  (broken) => {
    const { status, last, calls } = integrate(broken);
    expect(calls).toEqual(["install --frozen-lockfile", ...decisive.map((part) => `--silent ${part}`)]);
    expect(status).toBe(broken === "" ? 0 : 3);
    expect(last).toBe(broken === "test" ? "9 passed, 1 failed, 0 skipped" : "10 passed, 0 failed, 0 skipped");
    expect(readFileSync(join(root, "README.md"), "utf8")).toMatch(/^npx -y pnpm@12 test +#/m);
  },
);
