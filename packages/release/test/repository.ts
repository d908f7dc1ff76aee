import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import { parse } from "yaml";
import { change, type ChangeSteps } from "../src/change/change.ts";

const home = join(import.meta.dirname, "../../..");

/** A document with one operation whose response has these properties. */
function documentOf(title: string): string {
  return `openapi: 3.1.0
x-trainyard: 1
info:
  title: ${title}
  version: 1.0.0
paths:
  /v1/maps:
    get:
      operationId: get_map
      x-client-method: maps.get
      x-resend: always
      responses:
        "200":
          description: A map.
          content:
            application/json:
              schema: { $ref: "#/components/schemas/Map" }
components:
  schemas:
    Map:
      type: object
      required: [id, name]
      properties:
        id: { type: string, description: Its number. }
        name: { type: string, description: Its name. }
`;
}

/** Provides repositories for the tests of a file: one is created for the first test, and copied. */
export function useRepositories(state: "released" | "unreleased" = "released"): () => Repository {
  let template: string | undefined;
  const create = (): string => {
    const root = mkdtempSync(join(tmpdir(), "trainyard-release-test-"));
    const repository = new Repository(root);
    repository.begin();
    if (state === "released") repository.release();
    return root;
  };
  afterAll(() => {
    if (template !== undefined) rmSync(template, { recursive: true, force: true });
  });
  return () => {
    template ??= create();
    const root = mkdtempSync(join(tmpdir(), "trainyard-release-test-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    cpSync(template, root, { recursive: true });
    return new Repository(root);
  };
}

/** A git repository with an engine, the clients of two services, and a tool that depends on one of them. */
export class Repository {
  /** The services whose validators were built. */
  readonly validated: string[] = [];
  readonly root: string;

  constructor(root: string) {
    this.root = root;
  }

  begin(): void {
    this.write("pnpm-workspace.yaml", "packages:\n  - packages/*\n");
    this.write("package.json", '{ "name": "home", "private": true }\n');
    this.#addPackage("core", {});
    this.write("packages/core/src/version.ts", '/** The version. */\nexport const version = "0.1.0";\n');
    for (const service of ["atlas", "globe"]) {
      this.#addPackage(service, { "@trainyard/core": "workspace:^" });
      this.write(`openapi/${service}/openapi.yaml`, documentOf(service));
    }
    this.#addPackage("mock", { "@trainyard/atlas": "workspace:^" });
    this.write("packages/tool/package.json", '{ "name": "@trainyard/tool", "version": "0.1.0", "private": true }\n');
    this.generate();
    // The real configuration, and the files that it names.
    for (const file of [".changeset/config.json", "packages/release/src/changelog"]) {
      cpSync(join(home, file), join(this.root, file), { recursive: true });
    }
    this.git("init", "-q", "-b", "main", "--template=");
    this.commit("The beginning");
  }

  #addPackage(name: string, dependencies: Record<string, string>): void {
    const manifest = { name: `@trainyard/${name}`, version: "0.1.0", type: "module", dependencies };
    this.write(`packages/${name}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
    this.write(`packages/${name}/CHANGELOG.md`, `# @trainyard/${name}\n`);
  }

  git(...args: string[]): string {
    const identity = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"];
    return execFileSync("git", [...identity, ...args], { cwd: this.root, encoding: "utf8" }).trim();
  }

  commit(message: string): void {
    this.git("add", "-A");
    this.git("commit", "-qm", message);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(join(this.root, file)), { recursive: true });
    writeFileSync(join(this.root, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.root, file), "utf8");
  }

  /** Removes a folder. */
  remove(folder: string): void {
    rmSync(join(this.root, folder), { recursive: true });
  }

  has(file: string): boolean {
    return existsSync(join(this.root, file));
  }

  edit(file: string, before: string, now: string): void {
    const text = this.read(file);
    if (!text.includes(before)) throw new Error(`${file} does not hold: ${before}`);
    this.write(file, text.replace(before, now));
  }

  /** Writes the bundles, which are the documents themselves here. */
  generate(): void {
    for (const service of ["atlas", "globe"].filter((name) => this.has(`openapi/${name}`))) {
      const document: unknown = parse(this.read(`openapi/${service}/openapi.yaml`));
      this.write(`packages/${service}/src/generated/openapi.json`, JSON.stringify(document));
    }
  }

  /** Stores the bundles as a release does, and nothing else. */
  release(): void {
    for (const service of ["atlas", "globe"]) {
      this.write(`openapi/released/${service}.json`, this.read(`packages/${service}/src/generated/openapi.json`));
    }
    this.commit("Release");
  }

  /** The waiting changesets, without the README. */
  changesets(): string[] {
    return globSync(".changeset/*.md", { cwd: this.root }).toSorted();
  }

  versionOf(name: string): unknown {
    const manifest: { version?: unknown } = JSON.parse(this.read(`packages/${name}/package.json`));
    return manifest.version;
  }
}

/** Runs `pnpm contract change`, and returns its output. */
export async function changeIn(
  repository: Repository,
  revision?: string,
  others: Partial<ChangeSteps> = {},
): Promise<string[]> {
  const lines: string[] = [];
  await change(repository.root, revision, {
    lint: async () => undefined,
    generate: async () => repository.generate(),
    validators: async (service) => void repository.validated.push(service),
    size: async () => true,
    check: async () => true,
    say: (line) => void lines.push(line),
    ...others,
  });
  return lines;
}
