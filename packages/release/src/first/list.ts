import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { readReleases } from "@trainyard/contract";
import { findHome, readHome } from "../lib/home.ts";
import { published, root } from "../lib/workspace.ts";
import { unannounced } from "../versions/agreement.ts";
import { readChangesets } from "../versions/changeset.ts";

/** What can be read about a line of the list: one of the three, with the words that say it. */
type Fact = { readonly done: string } | { readonly missing: string } | { readonly unknown: string };

/** The JSON that another program prints, without spaces between its parts; empty if there is no such thing. */
type Answer = { readonly text: string } | { readonly why: string };

/** Asks another program for JSON. What they print besides JSON is not shown, because it can hold a token. */
async function ask(command: "gh" | "npm" | "pnpm", ...args: readonly string[]): Promise<Answer> {
  const options = { cwd: root, timeout: 60_000, shell: process.platform === "win32" };
  try {
    const { stdout } = await promisify(execFile)(command, args, options);
    return { text: stdout.trim() === "" ? "" : JSON.stringify(JSON.parse(stdout)) };
  } catch (error) {
    const { code, stdout = "" }: { code?: unknown; stdout?: unknown } = Object(error);
    if (code === "ENOENT") return { why: `\`${command}\` is not installed` };
    const [, reason] = /"(?:code|status)": ?"(?:ERR_PNPM_FETCH_|E(?=\d))?(\w+)"/.exec(String(stdout)) ?? [];
    if (reason === "404") return { text: "" };
    const login = command === "gh" ? "gh auth login" : "npm login";
    return { why: `\`${command} ${args[0]}\` did not answer (${reason ?? "no reason given"}). It may need: ${login}` };
  }
}

/** One thing that a host does once. */
export interface Line {
  readonly what: string;
  readonly fact: Fact;
  /** The commands to paste where it is not done. Words in capitals are the host's own. */
  readonly commands: readonly string[];
}

const decision = "packages/docs/src/content/docs/decisions/28-x-keys.md";
const environments = ["npm", "rolling", "github-pages"];

/** What a host does once before the first release, in order. Reads the clone, its host by `gh`, and the registry by `npm`. */
export async function listFirst(): Promise<Line[]> {
  const [home, here] = [readHome(), findHome()];
  const place = here === undefined ? (home ?? "OWNER/NAME") : here;
  const name = place.replace(/^https?:\/\/[^/]+\//, "");
  return [...ofClone(home, here), ...(await ofHost(name)), ...(await ofRegistry(name, home))];
}

function ofClone(home: string | undefined, here: string | undefined): Line[] {
  const packages = published();
  const silent = unannounced(packages, readChangesets(root));
  const ownerless = readFileSync(join(root, ".github/CODEOWNERS"), "utf8").match(/^\/\S+[ \t]*$/gm) ?? [];
  const isDecided = existsSync(join(root, decision)) || readReleases(root).length > 0;
  const isHome = home !== undefined && (here ?? home) === home;
  return [
    {
      what: "`repository` in the package.json of the root, from which every other address comes",
      fact: isHome
        ? { done: home }
        : { missing: `it says ${home ?? "nothing"}; this clone is of ${here ?? "no address"}` },
      commands: [`npm pkg set repository=${here ?? "https://github.com/OWNER/NAME"}`],
    },
    {
      what: "owners in .github/CODEOWNERS, who are asked for reviews",
      fact:
        ownerless.length > 0 ? { missing: `${ownerless.length} patterns have none` } : { done: "each pattern has one" },
      commands: ["sed -i 's|^/[^ ]*$|& @OWNER/TEAM|' .github/CODEOWNERS"],
    },
    {
      what: "the prefix of the contract's `x-` keys: after a release, another one breaks what reads them",
      fact: isDecided ? { done: "decided" } : { missing: `no decision in ${decision}` },
      commands: [
        `printf '%s\\n' --- 'title: "28. The x- keys"' 'description: Which prefix they have.' --- '' 'THE DECISION' > ${decision}`,
      ],
    },
    {
      what: "a changeset for each public package, so that none begins with an empty changelog",
      fact: silent.length > 0 ? { missing: silent.join(" ") } : { done: `all ${packages.length}` },
      commands: ["npx -y pnpm@12 changeset"],
    },
  ];
}

async function ofHost(name: string): Promise<Line[]> {
  const put = `gh api --method PUT repos/${name}`;
  const [environment, workflow, pages] = await Promise.all(
    ["environments", "actions/permissions/workflow", "pages"].map((path) => ask("gh", "api", `repos/${name}/${path}`)),
  );
  return [
    {
      what: `the environments ${environments.join(", ")}, which the workflows use`,
      fact: factOf(environment, (text) => environments.filter((one) => !text.includes(`"name":"${one}"`))),
      commands: environments.map((one) => `${put}/environments/${one}`),
    },
    {
      what: "Allow GitHub Actions to create pull requests: the job `version` opens one",
      fact: factOf(workflow, (text) =>
        text.includes('"can_approve_pull_request_reviews":true') ? [] : ["not allowed"],
      ),
      commands: [
        `${put}/actions/permissions/workflow -f default_workflow_permissions=read -F can_approve_pull_request_reviews=true`,
      ],
    },
    {
      what: "GitHub Pages by a workflow: the site",
      fact: factOf(pages, (text) => (text.includes('"build_type":"workflow"') ? [] : ["not so"])),
      commands: [`gh api --method POST repos/${name}/pages -f build_type=workflow`],
    },
  ];
}

async function ofRegistry(name: string, home: string | undefined): Promise<Line[]> {
  const packages = published().map(({ manifest }) => manifest.name);
  const versions = await Promise.all(
    packages.map((one) => ask("pnpm", "view", `${one}@>=0.0.0-0`, "version", "repository.url", "--json")),
  );
  const login = await ask("npm", "whoami", "--json");
  const trusted = await Promise.all(
    packages.map(async (one, index): Promise<Answer> => {
      if (isNone(versions[index])) return { text: "" };
      return "why" in login ? login : ask("npm", "trust", "list", one, "--json");
    }),
  );
  const missing = packages.filter((_, index) => isNone(versions[index]));
  const taken = packages.filter((_, index) => {
    const text = textOf(versions[index]);
    return home !== undefined && text.includes("repository.url") && !text.includes(home);
  });
  const untrusted = packages.filter((_, index) => !textOf(trusted[index]).includes("release.yml"));
  return [
    {
      what: "each package in the registry, by a first version under the tag `bootstrap`: only then can it have a trusted publisher",
      fact: taken.length > 0 ? { missing: `somebody else has ${taken.join(", ")}` } : ofAll(versions, missing),
      commands: [
        // It builds them.
        "npx -y pnpm@12 release pack",
        // A laptop cannot sign provenance. What the registry has is left out.
        "PNPM_CONFIG_PROVENANCE=false npx -y pnpm@12 changeset publish --tag bootstrap --no-git-tag",
      ],
    },
    {
      what: "a trusted publisher of each package, by npm 11.10 or newer",
      fact: ofAll(trusted, untrusted),
      commands: [
        `for name in ${untrusted.join(" ")}; do npm trust github $name --repo ${name} --file release.yml --env npm --allow-publish --yes; done`,
      ],
    },
  ];
}

const isNone = (answer: Answer | undefined): boolean => answer !== undefined && "text" in answer && answer.text === "";
const textOf = (answer: Answer | undefined): string => (answer !== undefined && "text" in answer ? answer.text : "");

function ofAll(answers: readonly Answer[], missing: readonly string[]): Fact {
  const unknown = answers.find((answer) => "why" in answer);
  if (unknown !== undefined) return { unknown: unknown.why };
  const count = `${answers.length - missing.length} of ${answers.length}`;
  return missing.length === 0 ? { done: `all ${answers.length}` } : { missing: `${count}; not ${missing.join(", ")}` };
}

function factOf(answer: Answer | undefined, lacks: (text: string) => readonly string[]): Fact {
  if (answer === undefined || "why" in answer) return { unknown: answer?.why ?? "" };
  const missing = lacks(answer.text);
  return missing.length === 0 ? { done: "yes" } : { missing: missing.join(", ") };
}
