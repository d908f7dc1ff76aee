/** What Redocly loads, whoever starts it: the command line, an editor, the generator. */
import { registerHooks } from "node:module";

// The rules rest on packages of this repository and read their sources, as everything here does: nothing is built before
// documents are judged. Redocly's process knows nothing of the condition that says so.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, "@trainyard/source"] }),
});

const { plugin } = await import("./index.ts");

export default plugin;
