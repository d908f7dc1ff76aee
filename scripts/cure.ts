/**
 * `… || node scripts/cure.ts check:types`: what a check says last where it fails. `pnpm test` says it in its summary, so
 * that nothing is said here there.
 */
import { checks } from "./checks.ts";

const [task] = process.argv.slice(2);
const check = checks.find((one) => one.task === task);
if (process.env["TURBO_HASH"] === undefined && check !== undefined) console.error(`\n${check.cure}`);
process.exitCode = 1;
