/** `pnpm fuzz`, `pnpm test:cluster`, `pnpm test:console`, `pnpm test:contract`, `pnpm test:crash`, `pnpm test:faults`, `pnpm test:learning`, `pnpm test:libraries`, `pnpm test:page`, `pnpm test:samples`, `pnpm test:site`, `pnpm test:verify`: the long forms of proofs that `pnpm test` runs shortly. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

interface Proof {
  readonly projects: readonly string[];
  readonly files: readonly string[];
  /** How much of it, by the variables that the tests read. */
  readonly amount: Readonly<Record<string, string>>;
}

const proofs: Readonly<Record<string, Proof>> = {
  fuzz: {
    projects: ["server", "witness"],
    files: ["test/fuzz", "test/model", "test/statistics", "src/differential", "src/probes", "src/values"],
    amount: {
      FUZZ_REQUESTS: "20000",
      FUZZ_STORIES: "400",
      FUZZ_STATISTICS: "3000",
      WITNESS_REQUESTS: "20000",
      WITNESS_PROBES: "20000",
      WITNESS_VALUES: "300",
    },
  },
  contract: {
    projects: ["contract"],
    files: ["test/new-whole", "test/pairs", "test/witness"],
    amount: { TRAINYARD_WHOLE: "1", TRAINYARD_ALL_PAIRS: "1", TRAINYARD_ALL_WITNESS: "1" },
  },
  cluster: { projects: ["server"], files: ["test/slurm"], amount: { CLUSTER: "whole" } },
  console: {
    projects: ["server", "witness"],
    files: ["test/console/pages", "test/console/pictures", "src/console-pages"],
    amount: { CONSOLE: process.env["CONSOLE"] ?? "whole" },
  },
  crash: { projects: ["server"], files: ["test/crash", "test/resumed"], amount: { CRASHES: "50" } },
  faults: {
    projects: ["server"],
    files: [
      "test/storage-faults",
      "test/operations",
      "test/data",
      "test/patience",
      "test/private-files",
      "test/statistics-limits",
      "test/soak",
    ],
    amount: { FAULTS: "all", SOAK_SECONDS: "600" },
  },
  learning: {
    projects: ["samples", "tiny"],
    files: ["test/learning", "src/training/tasks"],
    amount: { LEARNING_SEEDS: "5", LEARNING_RUNS: "20" },
  },
  samples: { projects: ["samples"], files: ["test/samples", "test/commands"], amount: { SAMPLE_ROUNDS: "2" } },
  verify: { projects: ["witness"], files: ["src/verify"], amount: { VERIFY_SEEDS: "all" } },
  libraries: {
    projects: ["witness"],
    files: ["src/libraries"],
    amount: { LIBRARIES: process.env["LIBRARIES"] ?? "whole" },
  },
  page: { projects: ["page"], files: ["test"], amount: { PAGE: "whole" } },
  site: { projects: ["docs"], files: ["test/site", "test/pictures"], amount: { SITE: process.env["SITE"] ?? "whole" } },
};

const name = process.argv[2] ?? "";
const proof = Object.hasOwn(proofs, name) ? proofs[name] : undefined;
if (proof === undefined) {
  console.error(`There is no proof "${name}". There are: ${Object.keys(proofs).join(", ")}.`);
  process.exit(2);
}
const root = join(import.meta.dirname, "..");
const hour = "--testTimeout=3600000";
const projects = proof.projects.flatMap((project) => ["--project", project]);
const { status, error } = spawnSync("vitest", ["run", ...projects, hour, ...proof.files], {
  cwd: root,
  stdio: "inherit",
  shell: process.platform === "win32",
  env: { ...process.env, NODE_COMPILE_CACHE: join(root, ".turbo/compile"), ...proof.amount },
});
if (error) throw error;
if (status !== 0) {
  const script = name === "fuzz" ? name : `test:${name}`;
  console.error(
    `\nA counterexample names its seed, with which it comes again. Repeat the whole with: npx -y pnpm@12 ${script}`,
  );
}
process.exitCode = status ?? 1;
