import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { readArguments } from "@trainyard/terminal/arguments";
import { bases } from "@trainyard/document";
import { Failure } from "../failure.ts";
import { planOperation, verbs } from "./operation.ts";
import { Plan } from "./plan.ts";
import { planSchema } from "./schema.ts";
import { planService } from "./service.ts";
import { fit } from "./naming.ts";

const text = { type: "string" } as const;

/** The result of the command. */
export interface Made {
  /** Relative to the root, with `/`. */
  readonly files: readonly string[];
  /** Notes for the user, as sentences. */
  readonly notes: readonly string[];
}

/** Creates what the arguments name below a folder: all of it, or nothing on failure. */
export async function makeNew(root: string, given: readonly string[]): Promise<Made> {
  const { values, positionals } = readArguments({
    args: [...given],
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
      page: { type: "boolean" },
      title: text,
      method: text,
    },
  });
  const need = (what: string, flag: string): never => {
    throw new Failure(`${what} is required: give ${flag}.`);
  };
  const [kind = need("What to make (operation, schema or service)", "it as the first word"), ...names] = positionals;
  fit("basis", values.basis, new RegExp(`^(${bases.join("|")})$`), bases.join(", "));
  const plan = new Plan(root);
  if (kind === "service") {
    const [name = need("Name of the service", "it after the word service")] = names;
    planService(plan, { ...values, name });
  } else if (kind === "schema") {
    const [service = need("Service, or common", "it after the word schema"), ...rest] = names;
    const [name = need("Name of the schema, such as HardwareOption", "it after the service")] = rest;
    planSchema(plan, { ...values, service, name, properties: values.property.flatMap((one) => one.split(/[\s,]+/)) });
  } else if (kind === "operation") {
    const [service = need("Service", "it after the word operation"), ...rest] = names;
    const [method = need("Method that people call, such as models.rename", "it after the service")] = rest;
    const verb = values.verb ?? need(`Verb (${verbs.join(", ")})`, "--verb");
    const path = values.path ?? need("Path, such as /v1/models/{model_id}", "--path");
    planOperation(plan, { ...values, service, method, verb, path });
  } else {
    throw new Failure(`"${kind}" cannot be made. Choose operation, schema or service.`);
  }
  plan.apply();
  const files = [...plan.files.keys()];
  const formatter = fileURLToPath(new URL("bin/oxfmt", import.meta.resolve("oxfmt/package.json")));
  const args = [formatter, "--no-error-on-unmatched-pattern", ...files];
  await promisify(execFile)(process.execPath, args, { cwd: root }).catch(() => {
    plan.notes.push("oxfmt could not format the files. Run: npx -y pnpm@12 fix");
  });
  return { files, notes: plan.notes };
}
