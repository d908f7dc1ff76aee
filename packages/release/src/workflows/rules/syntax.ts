import { registerHooks } from "node:module";
import type { Finding, Rule } from "../rule.ts";
import type { Workflow } from "../workflow.ts";

// The parser imports its tables as bundlers allow it, without saying that they are JSON.
registerHooks({
  load: (url, context, next) =>
    next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context),
});

async function check({ file, text }: Workflow): Promise<Finding[]> {
  const { convertWorkflowTemplate, NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
  const { context, value } = parseWorkflow({ name: file, content: text }, new NoOperationTraceWriter());
  // The numbers of the policies are not exported: 1 goes on where something is wrong, so that all of it is said.
  const { errors = [] } =
    value === undefined ? {} : await convertWorkflowTemplate(context, value, undefined, { errorPolicy: 1 });
  return (errors.length > 0 ? errors : context.errors.getErrors().map(({ message }) => ({ Message: message }))).map(
    ({ Message }) => ({
      part: undefined,
      message: Message,
    }),
  );
}

/** GitHub's own parser takes it: members, expressions, the names of jobs. */
export const syntax: Rule = { name: "syntax", check };
