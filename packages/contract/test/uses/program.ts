import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "@trainyard/codegen/compiler";

export const consumer: string = join(import.meta.dirname, "../../../samples/consumer");

/** One program of the consumer and of files that exist only in it, so that the compiler's libraries are read once. */
export function programWith(texts: ReadonlyMap<string, string>): ts.Program {
  const files = readdirSync(join(consumer, "src")).map((file) => join(consumer, "src", file));
  const options = { ...readOptions(), allowJs: true, checkJs: true };
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  const exists = host.fileExists.bind(host);
  host.fileExists = (name) => texts.has(name) || exists(name);
  host.getSourceFile = (name, target, ...rest) => {
    const text = texts.get(name);
    return text === undefined ? read(name, target, ...rest) : ts.createSourceFile(name, text, target, true);
  };
  return ts.createProgram([...files, ...texts.keys()], options, host);
}

/** The path of a file beside those of the consumer, so that it can import the clients. */
export function pathOf(name: string): string {
  return join(consumer, "src", name);
}

function readOptions(): ts.CompilerOptions {
  const path = join(consumer, "tsconfig.json");
  const { config } = ts.readConfigFile(path, (name) => ts.sys.readFile(name));
  return ts.parseJsonConfigFileContent(config, ts.sys, join(path, ".."), undefined, path).options;
}
