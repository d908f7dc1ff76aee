import { spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { serveSettings } from "../src/cli/serve-settings.ts";
import { variableName } from "@trainyard/document";
import { temporaryFolder } from "./folders.ts";
import { until } from "./lib.ts";

// The rules of the image and the compose file, checked in the files. The workflow `ci` builds and starts them.
const root = join(import.meta.dirname, "../../..");
const read = (file: string): string => readFileSync(join(root, file), "utf8");
const [dockerfile, compose] = [read("Dockerfile"), read("compose.yaml")];
const variables = new Set([
  ...Object.keys(serveSettings).map((name) => variableName("TRAINYARD", name)),
  "TRAINYARD_UPSTREAM_KEY",
]);

/** The instructions of a Dockerfile by stage: each with its keyword in capitals, and its arguments. */
function stagesOf(text: string): [word: string, rest: string][][] {
  const lines = text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const stages: [string, string][][] = [];
  const named = new Map<string, [string, string][]>();
  for (const line of lines) {
    const [, word = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    const [, image = "", name = ""] = (word === "FROM" && /^(\S+)(?: AS (\S+))?$/.exec(rest)) || [];
    // A stage has what the stage has that it is made of.
    if (word === "FROM") stages.push([...(named.get(image) ?? [])]);
    if (name !== "") named.set(name, stages.at(-1) ?? []);
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

const isRoot = process.getuid?.() === 0;
const runs = (command: string, ...args: string[]) => spawnSync(command, args, { encoding: "utf8" });

it("has a stage with Python that adds nothing else, before the one that is built without a target", () => {
  const stages = stagesOf(dockerfile);
  const [python = [], last = []] = [stages.at(-2), stages.at(-1)];
  expect(python.some(([word, rest]) => word === "FROM" && rest === "server AS python")).toBe(true);
  expect(last.at(-1)).toEqual(["FROM", "server"]);
  const own = python.slice(python.findIndex(([word, rest]) => word === "FROM" && rest.endsWith("AS python")) + 1);
  expect(own.map(([word]) => word)).toEqual(["USER", "RUN", "USER"]);
  expect(own.at(-1)).toEqual(["USER", "node"]);
});

// No image is built here: the commands run in Debian without one. What was not seen is the image itself.
it.skipIf(!isRoot || runs("apt-get", "--version").status !== 0)(
  "can install what the stage with Python needs",
  { tags: ["long"] },
  () => {
    const [, install = ""] = /(apt-get install [^&]*)/.exec(dockerfile) ?? [];
    const { status, stdout } = runs("/bin/sh", "-c", install.replace("install", "install --simulate"));
    expect([status, stdout]).toEqual([0, expect.stringMatching(/python3/)]);
  },
);

const unit = read("trainyard.service");

it.skipIf(runs("systemd-analyze", "--version").status !== 0)("has a unit that systemd accepts", () => {
  const { stderr } = runs("systemd-analyze", "verify", join(root, "trainyard.service"));
  // The program that it names need not be here.
  expect(stderr.split("\n").filter((line) => line !== "" && !line.includes("is not executable"))).toEqual([]);
});

it.skipIf(runs("systemd-analyze", "--version").status !== 0)("has a unit that exposes little", () => {
  const { stdout } = runs("systemd-analyze", "security", "--offline=true", join(root, "trainyard.service"));
  expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(3);
});

const cli = join(root, "packages/trainyard/src/cli.ts");
/** Whether another user can read the sources. */
const isShared =
  isRoot && spawnSync(process.execPath, ["-e", `fs.accessSync(${JSON.stringify(cli)})`], { uid: 65_534 }).status === 0;

it.skipIf(!isShared)("serves as another user with the command line of the unit", { tags: ["long"] }, async () => {
  const data = temporaryFolder();
  chownSync(data, 65_534, 65_534);
  const [, environment = ""] = /^Environment=(.*)$/m.exec(unit) ?? [];
  const [, program, installed, ...args] = /^ExecStart=(\S+) (\S+) (.*)$/m.exec(unit) ?? [];
  expect([program, installed]).toEqual(["/usr/bin/node", "/opt/trainyard/dist/cli.js"]);
  const env = Object.fromEntries(environment.split(" ").map((one) => one.split("=") as [string, string]));
  expect(env["TRAINYARD_DATA"]).toBe("/var/lib/trainyard");
  const ours = ["--conditions=@trainyard/source", "--disable-warning=ExperimentalWarning", cli];
  const child = spawn(process.execPath, [...ours, ...args.flatMap((one) => one.split(" ")), "--port", "0"], {
    uid: 65534,
    gid: 65534,
    cwd: data,
    env: {
      ...env,
      TRAINYARD_DATA: data,
      HOME: data,
    },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
  const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
  const [, url] = await until(async () => {
    if (child.exitCode !== null) throw new Error(output);
    return /^training +(\S+)$/m.exec(output) ?? undefined;
  });
  expect((await fetch(`${url}/v1/health`)).status).toBe(200);
  expect(statSync(join(data, "keys.json")).uid).toBe(65_534);
  await until(async () => output.includes("key "));
  child.kill("SIGTERM");
  expect(await ended).toBe(0);
});

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
