/**
 * Before a command: ends it at once if tools cannot work in the folder of this clone, whose own messages would not say so, and
 * keeps what is compiled for the next start.
 */
import module from "node:module";
import { join } from "node:path";

// Node 20 has no such cache.
module.enableCompileCache?.();

const root = join(import.meta.dirname, "..");
// A drive of Windows has a colon.
const [odd] = /[#%[\]:]|[\\/]node_modules(?=[\\/])/.exec(root.replace(/^[a-z]:/i, "")) ?? [];
if (odd !== undefined) {
  console.error(`Move the clone: its path contains "${odd}", with which its tools cannot work: ${root}`);
  process.exit(1);
}
