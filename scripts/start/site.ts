/** Builds the site, until standard input ends: that of a program which was killed ends, too. */
import { spawn } from "node:child_process";

const args = ["run", "build", "--filter=@trainyard/docs", "--output-logs=errors-only", "--ui=stream"];
const build = spawn("turbo", args, { stdio: "ignore", shell: process.platform === "win32" });
process.stdin.resume().once("end", () => build.kill());
build.once("error", () => process.exit(1));
build.once("exit", (code) => process.exit(code ?? 1));
