/** The module that Redocly loads, from the command line, an editor or the generator. */
import { registerHooks } from "node:module";

// The rules import packages of this repository, and read their sources, so that documents can be linted without a build.
// Redocly's process does not set the condition for that.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier, { ...context, conditions: [...context.conditions, "@trainyard/source"] }),
});

const { plugin } = await import("./style-guide.ts");

export default plugin;
