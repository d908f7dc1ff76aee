import { parseArgs } from "node:util";
import { bases } from "../basis/fact.ts";
import { Failure } from "../failure.ts";
import type { Ask } from "./ask.ts";
import { planOperation, verbs } from "./operation.ts";
import { Plan } from "./plan.ts";
import { planSchema } from "./schema.ts";
import { planService } from "./service.ts";
import { fit } from "./words.ts";

const text = { type: "string" } as const;

/** Makes what the arguments ask for below a folder, all of it or nothing. Gives the files, relative to it. */
export async function makeNew(root: string, args: readonly string[], ask: Ask): Promise<readonly string[]> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      basis: { type: "string", default: "proposed" },
      description: text,
      property: { type: "string", multiple: true, default: [] },
      path: text,
      verb: text,
      summary: text,
      tag: text,
      resend: text,
      body: text,
      answer: text,
      title: text,
      method: text,
    },
  });
  const [kind = await ask("What to make: operation, schema or service", "it as the first word"), ...names] =
    positionals;
  fit("basis", values.basis, new RegExp(`^(${bases.join("|")})$`), bases.join(", "));
  const plan = new Plan(root);
  if (kind === "service") {
    const [name = await ask("Name of the service", "it after the word service")] = names;
    planService(plan, { ...values, name });
  } else if (kind === "schema") {
    const [service = await ask("Service, or common", "it after the word schema"), ...rest] = names;
    const [name = await ask("Name of the schema, such as HardwareOption", "it after the service")] = rest;
    planSchema(plan, { ...values, service, name, properties: values.property });
  } else if (kind === "operation") {
    const [service = await ask("Service", "it after the word operation"), ...rest] = names;
    const [method = await ask("Method that people call, such as models.rename", "it after the service")] = rest;
    const verb = values.verb ?? (await ask(`Verb: ${verbs.join(", ")}`, "--verb"));
    const path = values.path ?? (await ask("Path, such as /v1/models/{model_id}", "--path"));
    planOperation(plan, { ...values, service, method, verb, path });
  } else {
    throw new Failure(`"${kind}" cannot be made. Choose operation, schema or service.`);
  }
  plan.apply();
  return plan.files;
}
