import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readDocument, variableName } from "@trainyard/document";
import { expect, it, onTestFinished } from "vitest";
import { contractIn, serviceAt, type LiveService } from "./contract.ts";
import { contracts } from "./terminal.ts";

/** Every variable that begins with our name, each with its own value. */
const everySet = new Proxy<Record<string, string>>(
  {},
  { get: (_, name) => (String(name).startsWith("TRAINYARD_") ? `value of ${String(name)}` : undefined) },
);

/** The service of a document in a file of that name, with these security schemes. */
async function serviceIn(
  file: string,
  schemes: Record<string, object>,
  environment: Readonly<Record<string, string | undefined>> = everySet,
): Promise<LiveService> {
  const root = mkdtempSync(join(tmpdir(), "contract-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const path = join(root, file);
  const security = Object.keys(schemes).map((name) => ({ [name]: [] }));
  const paths = { "/pets": { get: { operationId: "list", security, responses: { 204: { description: "" } } } } };
  const info = { title: "Pets", version: "1" };
  writeFileSync(path, JSON.stringify({ openapi: "3.1.0", info, paths, components: { securitySchemes: schemes } }));
  return serviceAt(await contractIn(path, [root]), ["http://pets.test"], true, environment);
}

const bearer = { type: "http", scheme: "bearer" };

it.each([
  ["pets.yaml", "token", "TRAINYARD_PETS_TOKEN"],
  ["pets.v2.json", "apiKeyAuth", "TRAINYARD_PETS_V2_API_KEY_AUTH"],
  ["api.json", "apiKey", "TRAINYARD_API_API_KEY"],
  ["training.yaml", "accessToken", "TRAINYARD_TRAINING_ACCESS_TOKEN"],
  // The variable of its address is no key.
  ["pets.yaml", "url", "TRAINYARD_PETS_API_KEY"],
])("reads the key of %s for the scheme %s from %s", async (file, scheme, variable) => {
  const { credentials, variables } = await serviceIn(file, { [scheme]: bearer });
  expect(credentials).toEqual({ [scheme]: `value of ${variable}` });
  expect(variables).toMatchObject({ [scheme]: variable });
});

it("reads the API key of the file where a scheme has no variable of its own", async () => {
  const environment = { TRAINYARD_API_KEY: "ours", TRAINYARD_TOKEN: "ours", TRAINYARD_PETS_API_KEY: "its own" };
  expect((await serviceIn("pets.yaml", { token: bearer }, environment)).credentials).toEqual({ token: "its own" });
  const empty = { ...environment, TRAINYARD_PETS_API_KEY: " ", TRAINYARD_PETS_TOKEN: "" };
  expect((await serviceIn("pets.yaml", { token: bearer }, empty)).credentials).toEqual({});
});

const services = contracts.map(({ bundle }) => readDocument(bundle()));
const schemes = services.flatMap(({ operations }) => operations.flatMap(({ security }) => security.flat()));
const ours = new Set([...schemes.map(({ name }) => variableName("TRAINYARD", name)), "TRAINYARD_UPSTREAM_KEY"]);
const split = [...ours].map((variable) => variable.split("_").map((word) => word.toLowerCase()));

it.each(split)("reads no variable of ours for a file and a scheme that spell one: %s_%s_%s", async (_, ...words) => {
  for (let at = 0; at < words.length; at++) {
    const file = `${words.slice(0, at).join("_")}.json`;
    const { credentials } = await serviceIn(file, { [words.slice(at).join("_")]: bearer });
    for (const value of Object.values(credentials)) expect(ours).not.toContain(value.replace("value of ", ""));
  }
});
