import { once } from "node:events";
import { readArguments } from "@trainyard/terminal/arguments";
import { bases, didYouMean } from "@trainyard/document";
import { host, isLoopback } from "@trainyard/host";
import { isMisuse, UsageError } from "@trainyard/terminal/command";
import { contractIn, contractOf, serviceAt, type Contract, type LiveService } from "../contract.ts";
import { curlOf, withoutSecrets } from "../request.ts";
import { contracts as ownContracts, ownTerminal, type Terminal } from "../terminal.ts";
import { readBytes } from "../call/fields.ts";
import { judge, readBaseline } from "./baseline.ts";
import { flows } from "./flows.ts";
import { formats, shown, type Report } from "./formats.ts";
import { startProxy } from "./proxy.ts";
import { Run, type VerifyOptions } from "./run.ts";
import { resultOf, verify, type Verification } from "./verify.ts";
import { codeOf } from "./wire.ts";

export const help = `trainyard verify [address]: checks a running service against its contract

  --document <file>     the OpenAPI document of another service, in YAML or JSON; by default those of the three services
  --allow <place>       a folder or an address that its $refs may lead to; may be given several times
  --service <name>      a service to check; all by default, may be given several times
  --base-url <address>  where the service is, as the argument alone; by default TRAINYARD_<SERVICE>_URL, else the first server of its document.
                        For several services, <name>=<address> for each
  --read                sends only what changes nothing, even if the service accepts what it should reject
  --write               also runs the flows of the guides in a new project, and deletes everything that it created. With
                        --document, it creates what can be read or deleted again, changes it, deletes it, and nothing else
  --confirm <host>      permits the requests that a service must reject, and --write, at an address that is not on this
                        machine; on a terminal, the command asks. May be given several times
  --set <name>=<value>  a value that exists on the service, where the contract's example does not: model=demo/tiny
  --operation <name>    checks only this operation; may be given several times
  --basis <basis>       the weakest basis of what the service must keep: interface, adopted (the default) or proposed. What contradicts
                        a weaker one differs from a proposal: it is listed apart, and does not fail
  --budget <calls>      the maximum number of calls; 400 by default, 1000 with --write
  --proxy <port>        sends nothing itself: forwards what arrives at this port to the address, and judges each response that
                        passes; prints each cause once, and the report at Ctrl-C
  --dry-run             prints the requests, and sends nothing
  --format <format>     terminal (the default), markdown, json, junit, or github for the annotations of a workflow
  --baseline <file>     findings that are known: a list in YAML or JSON, each with its id and a reason; they do not fail
  --fail-on <what>      contradicts (the default); not-declared or not-seen, which fail on contradictions, too: not-seen if a
                        success of an operation was never seen; or nothing. May be given several times

Without --read and --write it reads, and sends requests that the service must reject. If the service accepts one and creates something,
the command deletes it at the end, and lists it; training jobs remain, because no operation deletes them. It reads the key
from TRAINYARD_API_KEY or TRAINYARD_ACCESS_TOKEN, and never prints it. For the document pets.yaml, it is read from
TRAINYARD_PETS_API_KEY or, for a security scheme accessToken, TRAINYARD_PETS_ACCESS_TOKEN, and from no other variable.

Exit codes: 0 no findings, 1 findings that --fail-on counts, 2 invalid arguments, 3 a service cannot be reached, or its document
does not fit it, 4 not finished, because the budget is spent, and nothing that --fail-on counts until then, 130 not finished,
because the run was interrupted.`;

export async function run(args: readonly string[]): Promise<void> {
  const services = ownContracts.filter(({ name }) => name !== "local");
  process.exitCode = await verifyCommand(args, services, ownTerminal());
}

export async function verifyCommand(
  args: readonly string[],
  contracts: readonly Contract[],
  terminal: Terminal,
): Promise<number> {
  return checkServices(args, contracts, terminal).catch((error: unknown) => {
    if (!isMisuse(error)) throw error;
    terminal.err(`${error.message}\nSee trainyard verify --help.\n`);
    return 2;
  });
}

async function checkServices(args: readonly string[], ours: readonly Contract[], terminal: Terminal): Promise<number> {
  const { values, positionals } = readArguments({
    args: [...args],
    allowPositionals: true,
    options: {
      document: { type: "string" },
      allow: { type: "string", multiple: true, default: [] },
      service: { type: "string", multiple: true, default: [] },
      "base-url": { type: "string", multiple: true, default: [] },
      read: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
      confirm: { type: "string", multiple: true, default: [] },
      baseline: { type: "string" },
      proxy: { type: "string" },
      set: { type: "string", multiple: true, default: [] },
      operation: { type: "string", multiple: true },
      budget: { type: "string" },
      basis: { type: "string", default: "adopted" },
      "dry-run": { type: "boolean", default: false },
      format: { type: "string", default: "terminal" },
      "fail-on": { type: "string", multiple: true, default: ["contradicts"] },
    },
  });
  const { format, "fail-on": failOn } = values;
  const [, write] = Object.entries(formats).find(([name]) => name === format) ?? [];
  if (write === undefined) throw new UsageError(`--format must be ${Object.keys(formats).join(", ")}, not ${format}.`);
  const strange = failOn.find((one) => !failures.includes(one));
  if (strange !== undefined) throw new UsageError(`--fail-on must be ${failures.join(", ")}, not ${strange}.`);
  const basis = bases.find((one) => one === values.basis);
  if (basis === undefined)
    throw new UsageError(`--basis must be ${bases.toReversed().join(", ")}, not ${values.basis}.`);
  if (values.read && values.write) throw new UsageError("--read permits no --write. Leave one of them out.");
  const { baseline: known } = values;
  const baseline = known === undefined ? [] : readBaseline(known, String(readBytes(known)));
  const budget = values.budget === undefined ? undefined : Number(values.budget);
  if (budget !== undefined && !(Number.isInteger(budget) && budget > 0))
    throw new UsageError(`--budget must be a number of calls, not ${values.budget}.`);
  const set = Object.fromEntries(
    values.set.map((option) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(option) ?? [];
      if (name === undefined || value === undefined) throw new UsageError(`--set must be name=value, not ${option}.`);
      return [name, value];
    }),
  );
  if (positionals.length > 1) throw new UsageError(`Name one address, not ${positionals.join(" and ")}.`);
  const { document: file, allow } = values;
  const contracts = file === undefined ? ours : [await contractIn(file, allow, terminal.err)];
  const chosen = values.service.length > 0 ? values.service.map((name) => contractOf(contracts, name)) : contracts;
  const services = chosen.map((one) => ({
    ...serviceAt(one, [...positionals, ...values["base-url"]], chosen.length === 1, terminal.environment),
    fetch: terminal.fetch,
  }));
  const names = services.flatMap(({ document }) => document.operations.map((operation) => operation.name));
  const unknown = values.operation?.find((name) => !names.includes(name));
  const hint = didYouMean(unknown ?? "", names) ?? " `trainyard call` lists them.";
  if (unknown !== undefined) throw new UsageError(`There is no operation ${unknown}.${hint}`);
  const options = {
    set,
    budget,
    basis,
    signal: terminal.signal,
    operations: values.operation,
    read: values.read,
    write: values.write ? flows() : undefined,
  };
  if (values["dry-run"]) return dryRun(services, options, terminal);
  const { proxy: port } = values;
  const [address = services[0]?.baseUrl ?? ""] = positionals;
  if (port === undefined && !values.read) await confirm(services, values.confirm, values.write, terminal);
  for (const { name, baseUrl, variables, fetch: send = fetch } of port === undefined ? services : []) {
    try {
      const response = await send(baseUrl, { signal: AbortSignal.timeout(10_000), redirect: "manual" });
      await response.body?.cancel();
    } catch (error) {
      const cure = `Check that it runs, and its address: pass it with --base-url, or set ${variables?.["baseUrl"]}.`;
      terminal.err(`The ${name} service at ${baseUrl} cannot be reached${codeOf(error)}. ${cure}\n`);
      return 3;
    }
  }
  const verification =
    port === undefined ? await verify(services, options) : await listenAt(port, address, services, options, terminal);
  const isFailure: Report["isFailure"] = (one) =>
    !failOn.includes("nothing") &&
    ("status" in one
      ? failOn.includes("not-seen") && one.seen === 0 && one.status.startsWith("2")
      : one.certainty === "contradicts" || (one.certainty === "not declared" && failOn.includes("not-declared")));
  const report: Report = { ...verification, ...judge(verification.findings, baseline), services, isFailure };
  for (const misfit of report.misfits) terminal.err(`${misfit}\n`);
  if (report.misfits.length < services.length) terminal.out(write(report));
  const deletable = report.left.flatMap(({ what, method, url, headers = {} }) =>
    method === undefined || url === undefined ? [] : [`# ${what}\n${curlOf({ method, url, headers }, ...services)}\n`],
  );
  const toDelete = "Some of what was created could not be deleted. To delete it, run:\n";
  if (deletable.length > 0) terminal.err(toDelete + deletable.join(""));
  if (report.ended !== undefined && terminal.signal?.aborted) return 130;
  if (report.misfits.length > 0) return 3;
  if ([...report.findings, ...report.coverage].some(isFailure)) return 1;
  return report.ended === undefined ? 0 : 4;
}

async function listenAt(
  port: string,
  address: string,
  services: readonly LiveService[],
  options: VerifyOptions,
  { err, signal }: Terminal,
): Promise<Verification> {
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new UsageError(`--proxy must be a port of this machine, such as 4020, not ${port}.`);
  if (!services.every(({ baseUrl }) => `${baseUrl}/`.startsWith(address.replace(/\/*$/, "/"))))
    throw new UsageError("--proxy forwards to one address: name it as the argument, or one service with --service.");
  const start = performance.now();
  const run = new Run(services, { ...options, onFinding: (finding) => err(`${shown(finding).join("\n")}\n`) });
  const proxy = await startProxy(Number(port), address, run);
  err(`${proxy.address} stands for ${address}. Ctrl-C prints the report.\n`);
  if (signal?.aborted === false) await once(signal, "abort");
  await proxy.close();
  return resultOf(run, start);
}

const failures: readonly string[] = ["contradicts", "not-declared", "not-seen", "nothing"];

/** Makes sure that the user means these hosts, unless they are on this machine. */
async function confirm(
  services: readonly LiveService[],
  named: readonly string[],
  isWriting: boolean,
  { ask }: Terminal,
): Promise<void> {
  const hosts = services.filter(({ baseUrl }) => !isLoopback(baseUrl)).map(({ baseUrl }) => new URL(baseUrl).host);
  const missing = new Set(hosts.filter((host) => !named.includes(host) && !named.includes(host.replace(/:\d+$/, ""))));
  for (const host of missing) {
    const what = `This run sends requests to ${host} that it must reject${isWriting ? ", and creates and deletes data there" : ""}.`;
    const typed = named.length > 0 ? undefined : await ask?.(`${what} To permit it, type the host's name: `);
    if (typed?.trim() !== host)
      throw new UsageError(`${what} To permit it, add --confirm ${host}. With --read, it only reads.`);
  }
}

/** Prints the requests of a run against the examples of the documents, within this process: nothing is sent. */
async function dryRun(services: readonly LiveService[], options: VerifyOptions, { out }: Terminal): Promise<number> {
  const secrets = services.flatMap(({ credentials }) => Object.values(credentials));
  const byExample = services.map((service): LiveService => {
    const { name, document, baseUrl } = service;
    const prefix = new URL(baseUrl).pathname.replace(/\/$/, "");
    const served = host({ name, document, prefix }, { unhandled: () => undefined });
    return { ...service, fetch: (input, init) => served.fetch(new Request(input, init)) };
  });
  const { calls } = await verify(byExample, {
    ...options,
    onRequest: ({ method, url }, tried) =>
      out(`${method} ${withoutSecrets(url, secrets)}${tried === "" ? "" : `  (${tried})`}\n`),
  });
  out(`${calls} calls. The number varies a little by service, because some requests depend on earlier responses.\n`);
  return 0;
}
