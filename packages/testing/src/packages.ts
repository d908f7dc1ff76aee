import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ClientOptions, Operation, Validators } from "@trainyard/core";
import { isObject } from "@trainyard/core/validation";

/** A service, as its client package exports it. */
export interface ServicePackage {
  readonly name: string;
  readonly document: object;
  readonly operations: ReadonlyMap<string, Operation>;
  /** The exports of the module `/validators`. Only this needs a build. */
  validators(): Promise<Validators>;
  /** Creates a client, with calls by path as `http`. */
  connect(options: ClientOptions): unknown;
}

const folder = join(import.meta.dirname, "../..");

/** All services that have a client. They are discovered, so that a new one is tested without a change here. */
export const packages: readonly ServicePackage[] = await Promise.all(
  readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "src/generated/openapi.json")))
    .map(load),
);

async function load(name: string): Promise<ServicePackage> {
  const at = (file: string): string => join(folder, name, file);
  const client: Record<string, unknown> = await import(/* @vite-ignore */ pathToFileURL(at("src/index.ts")).href);
  const http: Record<string, unknown> = await import(
    /* @vite-ignore */ pathToFileURL(at("src/generated/http.ts")).href
  );
  const factoryOf = (module: Record<string, unknown>, named: RegExp) => {
    const [, create] = Object.entries(module).find(([key]) => named.test(key)) ?? [];
    if (typeof create !== "function") throw new Error(`${name} exports no function that creates a client.`);
    return (options: ClientOptions): object => Reflect.apply(create, undefined, [options]);
  };
  const create = factoryOf(client, /^create.*Client$/);
  const createHttp = factoryOf(http, /^create.*Http$/);
  return {
    name,
    document: JSON.parse(readFileSync(at("src/generated/openapi.json"), "utf8")),
    operations: new Map(
      [client["operations"]]
        .flat()
        .filter(isOperation)
        .map((one) => [one.name, one]),
    ),
    validators: async () => {
      const file = at("dist/validators.js");
      if (!existsSync(file)) throw new Error(`${name} has no validators. Run: npx -y pnpm@12 build`);
      return import(/* @vite-ignore */ pathToFileURL(file).href);
    },
    connect: (options) => Object.assign(create(options), { http: createHttp(options) }),
  };
}

/** The name of the validator of an operation's answer; `undefined` if the contract does not define the answer. */
export function answerGuard(validators: Validators, operation: string): string | undefined {
  const [name] =
    Object.entries(validators).find(([, guard]) => {
      const checks: unknown = Object(guard).checks;
      return Array.isArray(checks) && checks.includes(`${operation} response`);
    }) ?? [];
  return name;
}

function isOperation(one: unknown): one is Operation {
  return isObject(one) && "name" in one && "method" in one && "path" in one;
}
