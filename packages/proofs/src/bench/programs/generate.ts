/** Generates the clients of a repository, given by its root, and prints the milliseconds without process startup. */
import { generate } from "@trainyard/codegen/generate";

const [root = ""] = process.argv.slice(2);
const start = performance.now();
const { outcomes } = await generate(root);
console.log(JSON.stringify({ milliseconds: performance.now() - start, services: outcomes.length }));
