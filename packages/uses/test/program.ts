import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";

export const consumers: string = join(import.meta.dirname, "../../samples/consumers");
export const names: readonly string[] = readdirSync(consumers).filter((name) => !name.includes("."));

/** A file that exists only in the test's program. */
export const probe: string = join(consumers, "trainer/src/probe.ts");

/** One program of all consumers and a probe, so that the compiler's libraries are read once. */
export function programWith(text: string): ts.Program {
  const files = names.flatMap((name) =>
    readdirSync(join(consumers, name, "src")).map((file) => join(consumers, name, "src", file)),
  );
  const options = readOptions();
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => name === probe || exists(name);
  host.getSourceFile = (name, ...rest) =>
    name === probe ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true) : read(name, ...rest);
  return ts.createProgram([...files, probe], options, host);
}

function readOptions(): ts.CompilerOptions {
  const path = join(consumers, names[0] ?? "", "tsconfig.json");
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
  return ts.parseJsonConfigFileContent(config, ts.sys, join(path, ".."), undefined, path).options;
}
