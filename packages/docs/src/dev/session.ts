import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { generate, ownOptions, type Report } from "@trainyard/codegen/generate";
import { lint } from "@trainyard/codegen/lint";
import { DocumentError, findServices, type Problem, reach, readTree, type Tree } from "@trainyard/document/files";
import { startMock, type Documents, type Mock } from "@trainyard/mock";
import { watch } from "chokidar";

/** Milliseconds to wait for further changes: editors write a file in several steps, and tools write many files. */
const quiet = 40;

/** How a file changed. */
export interface FileChange {
  readonly file: string;
  readonly what: "saved" | "added" | "removed";
}

/** The result of a save, or of the start. */
export interface Turn {
  /** Empty at the start. */
  readonly changes: readonly FileChange[];
  /** Undefined if the documents are invalid, or no service uses the saved files. */
  readonly report: Report | undefined;
  /** Why nothing was generated. The last good version is still served. */
  readonly problems: readonly Problem[];
  /** Milliseconds from the save until the mocks return the change. */
  readonly ms: number;
}

export interface SessionOptions {
  /** The mocks' port, or another one if it is in use. 0 selects any free port. */
  readonly port: number;
  /** The next save waits until this resolves. If it fails, another turn reports why, and the next save generates all services. */
  readonly turned: (turn: Turn) => Promise<void>;
  /**
   * Called with the violations of the style guide in the last good turn. It is called later, and not if another save
   * comes first.
   */
  readonly judged: (problems: readonly Problem[]) => void;
}

/** Running mocks that follow the documents. */
export interface Session {
  readonly mock: Mock;
  /** Stops everything that was started, including a turn in progress. */
  close(): Promise<void>;
}

/** Generates and serves the documents, and repeats it after each save under `openapi/`. */
export async function startSession(root: string, options: SessionOptions): Promise<Session> {
  let tree: Tree = readTree(root);
  /** The services whose current documents have not been generated; undefined for all. */
  let due: Set<string> | undefined;
  let waiting = false;
  let closed = false;
  let judging = new AbortController();

  async function make(): Promise<Pick<Turn, "report" | "problems">> {
    if (due?.size === 0) return { report: undefined, problems: [] };
    try {
      const report = await generate(root, { ...ownOptions, ...(due && { changed: [...due] }) });
      due = new Set();
      return { report, problems: [] };
    } catch (error) {
      return { report: undefined, problems: problemsOf(error) };
    }
  }

  async function turn(since: number): Promise<void> {
    waiting = false;
    const now = readTree(root);
    const changes = compareTrees(tree, now);
    if (changes.length === 0 || closed) return;
    judging.abort();
    const before = servicesIn(tree);
    const services = servicesIn(now);
    // A new or removed service affects everything that is generated.
    if (services.join() !== before.join()) due = undefined;
    for (const service of services) {
      const files = reach(now, service);
      if (changes.some(({ file }) => files.has(file))) due?.add(service);
    }
    tree = now;
    const changed = due === undefined ? services : [...due];
    const made = await make();
    const mock = await begun;
    if (made.report !== undefined) {
      mock.reload({ ...gone(before, services), ...documentsOf(bundlesOf(root), changed) });
    }
    await options.turned({ changes, ...made, ms: performance.now() - since });
    if (made.report === undefined) return;
    judging = new AbortController();
    void judge(changed, judging.signal);
  }

  /** Reports a turn that failed for another reason than its documents. The next save repeats it for all services. */
  async function failed(error: unknown, since: number): Promise<void> {
    due = undefined;
    const ms = performance.now() - since;
    await options.turned({ changes: [], report: undefined, problems: problemsOf(error), ms });
  }

  async function judge(services: readonly string[], signal: AbortSignal): Promise<void> {
    // The services of another repository may have no style guide.
    if (services.length === 0 || signal.aborted || !existsSync(join(root, "redocly.yaml"))) return;
    const problems = await lint(root, services).catch(problemsOf);
    if (!signal.aborted) options.judged(problems);
  }

  async function begin(): Promise<Mock> {
    const start = performance.now();
    const first = await make();
    const mock = await startMock({ port: options.port, documents: { ...noOwn, ...documentsOf(bundlesOf(root)) } });
    const ms = performance.now() - start;
    await options.turned({ changes: [], ...first, ms }).catch((error: unknown) => failed(error, start));
    return mock;
  }

  const begun = begin();
  let running: Promise<unknown> = begun;
  let since: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  // Watched from the start, so that no save is missed.
  const watcher = watch(join(root, "openapi")).on("all", () => {
    since ??= performance.now();
    clearTimeout(timer);
    timer = setTimeout(() => {
      const first = since ?? performance.now();
      since = undefined;
      if (waiting) return;
      waiting = true;
      running = running.then(
        () => turn(first).catch((error: unknown) => failed(error, first)),
        // The session did not start, which its caller is told.
        () => {},
      );
    }, quiet);
  });
  const unwatch = (): Promise<void> => {
    clearTimeout(timer);
    return watcher.close();
  };
  const mock = await begun.catch(async (error: unknown) => {
    await unwatch();
    throw error;
  });
  return {
    mock,
    async close() {
      closed = true;
      await unwatch();
      judging.abort();
      await running;
      await mock.close();
    },
  };
}

/** The services that a mock has built in are left out, because here they come from their current files. */
const noOwn: Documents = { training: undefined, inference: undefined, auxiliary: undefined };

function gone(before: readonly string[], now: readonly string[]): Documents {
  return Object.fromEntries(before.filter((name) => !now.includes(name)).map((name) => [name, undefined]));
}

function servicesIn(tree: Tree): string[] {
  return [...tree.keys()].flatMap((file) => /^openapi\/([^/]+)\/openapi\.yaml$/.exec(file)?.[1] ?? []);
}

/** The files of the bundles that have been generated, by service. */
function bundlesOf(root: string): ReadonlyMap<string, string> {
  const files = findServices(root).map(
    (service) => [service, join(root, "packages", service, "src/generated/openapi.json")] as const,
  );
  return new Map(files.filter(([, file]) => existsSync(file)));
}

function documentsOf(bundles: ReadonlyMap<string, string>, services?: readonly string[]): Documents {
  const files = [...bundles].filter(([service]) => services?.includes(service) ?? true);
  return Object.fromEntries(files.map(([service, file]) => [service, JSON.parse(readFileSync(file, "utf8"))]));
}

function problemsOf(error: unknown): readonly Problem[] {
  if (error instanceof DocumentError) return error.problems;
  const message = error instanceof Error ? error.message : String(error);
  return [{ file: "openapi", message, cure: "Save the file again. If the error stays, run: npx -y pnpm@12 generate" }];
}

/** The files whose text differs. Saving a file without a change is not a change. */
function compareTrees(before: Tree, now: Tree): FileChange[] {
  return [
    ...[...now].flatMap(([file, text]): FileChange[] => {
      const old = before.get(file);
      return old === text ? [] : [{ file, what: old === undefined ? "added" : "saved" }];
    }),
    ...[...before.keys()].filter((file) => !now.has(file)).map((file): FileChange => ({ file, what: "removed" })),
  ];
}
