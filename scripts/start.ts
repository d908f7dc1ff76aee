/**
 * `pnpm start`: generates the clients, builds their dependencies, then serves all three services and demonstrates them:
 * `start/story.ts`. The second part is imported later, because it imports the output of the first.
 */
import { join } from "node:path";
import { run } from "@trainyard/release/run";

const root = join(import.meta.dirname, "..");

process.stdout.write("Generating the clients from openapi/ and building the packages … ");
const start = performance.now();
try {
  run("pnpm", ["--silent", "run", "generate"], { cwd: root });
  const filters = ["--filter=@trainyard/server..."];
  run("turbo", ["run", "build", ...filters, "--output-logs=errors-only", "--ui=stream"], { cwd: root });
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
console.log(`done in ${((performance.now() - start) / 1000).toFixed(1)} s.`);

await import("./start/serve.ts");
