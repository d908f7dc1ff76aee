import type { Plan } from "./plan.ts";

/**
 * Plans the handler of a new operation in the local server, if the server has the service: it returns an example of the
 * document until somebody writes the real one.
 */
export function planHandler(plan: Plan, service: string, method: string): void {
  const file = `packages/server/src/handlers/${service}.ts`;
  if (!plan.has(file)) return;
  plan.edit(file, (text) => withHandler(text, service, method));
  plan.notes.push(`The local server returns an example for ${method}. Write its handler in ${file}.`);
}

/** A file with one more handler, at the end of the object that a function returns as `Handlers<"service">`. */
function withHandler(text: string, service: string, method: string): string {
  // The indentation tells the function's own `return` and end from those inside it: oxfmt writes each file.
  const record = new RegExp(`(\\): Handlers<"${service}"> \\{[^]*?\\n {2}return \\{)([^]*?)(\\s*\\};\\n\\}\\n)`);
  if (!record.test(text)) return text;
  const added = text.replace(record, (_, before: string, handlers: string, after: string) => {
    const comma = handlers === "" || handlers.endsWith(",") ? "" : ",";
    return `${before}${handlers}${comma}\n    "${method}": byExample,${after}`;
  });
  const imported = /^import \{([^}]*)\} from "@trainyard\/host";$/m;
  const names = imported.exec(text)?.[1];
  if (names === undefined) return `import { byExample } from "@trainyard/host";\n${added}`;
  return /\bbyExample\b/.test(names)
    ? added
    : added.replace(imported, `import { byExample,${names}} from "@trainyard/host";`);
}
