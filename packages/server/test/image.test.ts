import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { serveSettings } from "../src/cli/serve-settings.ts";
import { variableName } from "@trainyard/core/variable-name";

// The rules of the image and the compose file, checked in the files. The workflow `ci` builds and starts them.
const root = join(import.meta.dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const [dockerfile, compose] = [read("Dockerfile"), read("compose.yaml")];
const variables = new Set([...Object.keys(serveSettings).map(variableName), "TRAINYARD_UPSTREAM_KEY"]);

/** The instructions of a Dockerfile by stage: each with its keyword in capitals, and its arguments. */
function stagesOf(text: string): [word: string, rest: string][][] {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: [string, string][][] = [];
  for (const line of lines) {
    const [, word = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (word === "FROM") stages.push([]);
    stages.at(-1)?.push([word, rest]);
  }
  return stages;
}

/** The faults of a Dockerfile, as sentences. */
function faultsOfImage(text: string): string[] {
  const stages = stagesOf(text);
  const last = stages.at(-1) ?? [];
  const of = (word: string) => last.filter(([one]) => one === word).map(([, rest]) => rest);
  const faults: string[] = [];
  const names = new Set<string>();
  for (const [, rest] of stages.flat().filter(([word]) => word === "FROM")) {
    const [, image = "", name] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
    if (!names.has(image) && !/:\d+\.\d+\.\d+(-|$)/.test(image)) faults.push(`${image} names no exact version.`);
    if (name !== undefined) names.add(name);
  }
  for (const [word, rest] of stages.flat()) {
    const [, stage, source = ""] = /^(?:--from=(\S+) )?(\S+)/.exec(rest) ?? [];
    if (word === "COPY" && stage !== undefined && !names.has(stage)) faults.push(`There is no stage ${stage}.`);
    if (word === "COPY" && stage === undefined && !existsSync(join(root, source)))
      faults.push(`There is no ${source}.`);
    for (const [, name = ""] of rest.matchAll(/--filter[ =](?:@trainyard\/)?(\S+)/g)) {
      if (!existsSync(join(root, "packages", name))) faults.push(`There is no package ${name}.`);
    }
    if (word === "ENV") {
      for (const [, name = ""] of rest.matchAll(/(\w+)=/g))
        if (!variables.has(name)) faults.push(`${name} says nothing.`);
    }
    if (word === "") faults.push(`${rest} is no instruction.`);
  }
  const user = of("USER").at(-1);
  if (user === undefined || /^(root|0)\b/.test(user)) faults.push("It runs as root.");
  for (const word of ["HEALTHCHECK", "VOLUME", "EXPOSE", "ENTRYPOINT"]) {
    if (of(word).length === 0) faults.push(`${word} is missing.`);
  }
  for (const text of [...of("ENTRYPOINT"), ...of("CMD")])
    if (!text.startsWith("[")) faults.push(`${text} runs in a shell.`);
  if (!of("ENTRYPOINT").some((text) => text.includes("/dist/cli.js"))) faults.push("It does not start the command.");
  return faults;
}

interface Service {
  readonly build?: string;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly init?: boolean;
  readonly restart?: string;
}

/** The faults of a compose file, as sentences. */
function faultsOfCompose(text: string): string[] {
  const { services, volumes }: { services: Record<string, Service>; volumes: object } = parse(text);
  return Object.values(services).flatMap((service) => {
    const faults: string[] = [];
    if (service.build === undefined || !existsSync(join(root, service.build, "Dockerfile")))
      faults.push("Nothing to build.");
    for (const port of service.ports ?? []) if (!port.startsWith("127.0.0.1:")) faults.push(`${port} is open to all.`);
    const kept = (service.volumes ?? []).map((volume) => volume.split(":"));
    for (const [name = ""] of kept) if (!Object.hasOwn(volumes, name)) faults.push(`There is no volume ${name}.`);
    if (!kept.some(([, path]) => path === "/data")) faults.push("The data are not in a volume.");
    for (const name of Object.keys(service.environment ?? {}))
      if (!variables.has(name)) faults.push(`${name} says nothing.`);
    if (service.init !== true) faults.push("Nobody ends what trainers leave.");
    return faults;
  });
}

it("finds no fault in the image and the compose file", () => {
  expect([...faultsOfImage(dockerfile), ...faultsOfCompose(compose)]).toEqual([]);
});

it.each([
  ["node:24.21.0-bookworm-slim AS build", "node:24 AS build", "node:24 names no exact version."],
  ["USER node", "USER root", "It runs as root."],
  ["USER node\n", "", "It runs as root."],
  ["--from=build", "--from=bulid", "There is no stage bulid."],
  ["COPY . .", "COPY nothing .", "There is no nothing."],
  ["--filter=trainyard", "--filter=trainyrad", "There is no package trainyrad."],
  ["TRAINYARD_HOST", "TRAINYARD_HOTS", "TRAINYARD_HOTS says nothing."],
  ["HEALTHCHECK", "LABEL", "HEALTHCHECK is missing."],
  ['CMD ["serve"]', "CMD serve", "serve runs in a shell."],
])("reports the fault if %j is replaced by %j", (good, bad, fault) => {
  expect(dockerfile).toContain(good);
  expect(faultsOfImage(dockerfile.replace(good, bad))).toContain(fault);
});

it.each([
  ['"127.0.0.1:4010:4010"', '"4010:4010"', "4010:4010 is open to all."],
  ["data:/data", "data:/var/data", "The data are not in a volume."],
  ["TRAINYARD_DATA_HOST:", "TRAINYARD_DATA_HOSTS:", "TRAINYARD_DATA_HOSTS says nothing."],
  ["build: .", "build: ./packages", "Nothing to build."],
])("reports the fault if %j is replaced by %j", (good, bad, fault) => {
  expect(compose).toContain(good);
  expect(faultsOfCompose(compose.replace(good, bad))).toContain(fault);
});
