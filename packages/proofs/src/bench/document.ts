import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "@trainyard/release/run";
import { installTools } from "@trainyard/release/tools";
import { root } from "@trainyard/release/workspace";
import { suitesIn } from "../strangers/corpus.ts";
import { atMost, type Findings } from "./report.ts";

const times = 1.5;
const gigabytes = 2;
/** Prints what a process used when it ends, on the last line. */
const meter = `process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  console.log("\\n" + JSON.stringify([(userCPUTime + systemCPUTime) / 1e6, maxRSS / 2 ** 20]));
})`;

/** The seconds of processor time that a command takes, and the gigabytes of memory. */
function used(...args: readonly string[]): [seconds: number, memory: number] {
  const flags = ["--conditions=@trainyard/source", `--import=data:text/javascript,${encodeURIComponent(meter)}`];
  return JSON.parse(
    run(process.execPath, [...flags, ...args], { cwd: root })
      .trim()
      .split("\n")
      .at(-1) ?? "",
  );
}

/** The file of GitHub's document. */
export function largeFile(): string {
  return suitesIn(installTools("documents")).find(({ name }) => name === "GitHub")?.strangers[0]?.file ?? "";
}

/** What a client of a large public document takes, against a generator that is not ours. */
export function largeDocument(): Findings {
  const generators = installTools("generators");
  const file = largeFile();
  const out = mkdtempSync(join(tmpdir(), "trainyard-large-"));
  const trainyard = join(root, "packages/trainyard/src/cli.ts");
  try {
    const heyApi = join(generators, "node_modules/@hey-api/openapi-ts/dist/run.mjs");
    const [theirs, memory] = used(heyApi, "-i", file, "-o", join(out, "theirs"));
    const [ours, ownMemory] = used(trainyard, "generate", file, "--out", join(out, "ours"));
    const ratio = ours / theirs;
    return {
      how: "GitHub's document: 13 MB and 1,223 operations in OpenAPI 3.0. User and system time of the process, without the one in which esbuild minifies our validators; the other client has none.",
      rows: [
        { what: "@hey-api/openapi-ts", measured: `${theirs.toFixed(1)} s, ${memory.toFixed(2)} GiB` },
        { what: "trainyard generate", measured: `${ours.toFixed(1)} s`, ...atMost(ratio, times, `× ${times}`) },
        {
          what: "its memory",
          measured: `${ownMemory.toFixed(2)} GiB`,
          ...atMost(ownMemory, gigabytes, `${gigabytes} GiB`),
        },
      ],
    };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}
