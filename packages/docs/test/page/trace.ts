import type { Page } from "playwright-core";

/** A work item of Chromium's trace; `tdur` is its processor time in microseconds. */
interface Event {
  readonly ph: string;
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly tdur?: number;
  readonly args: { readonly name?: string; readonly elementCount?: number };
}

/** The mark in the trace at which `untilShown` found what it waited for. */
const mark = "the test saw it";

/** The processor time of a page: unlike elapsed time, it hardly depends on the load of the machine. */
interface Trace {
  /** Milliseconds of processor time by task, of the page's thread and its workers. */
  readonly page: readonly number[];
  readonly worker: readonly number[];
  /** Milliseconds of processor time of both, until `untilShown` found what it waited for. */
  readonly untilShown: number;
  /** The number of elements in each style update of the page. */
  readonly styled: readonly number[];
}

/** Runs an action on a page, and measures its processor time. */
export async function traced<T>(page: Page, work: () => Promise<T>): Promise<readonly [T, Trace]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error("The page needs its own browser.");
  await browser.startTracing(page, {
    categories: ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline", "blink.user_timing"],
  });
  const result = await work();
  const { traceEvents }: { traceEvents: readonly Event[] } = JSON.parse((await browser.stopTracing()).toString());
  const threadOf = ({ pid, tid }: Event) => `${pid} ${tid}`;
  const names = new Map(
    traceEvents.filter(({ name }) => name === "thread_name").map((event) => [threadOf(event), event.args.name]),
  );
  const whole = traceEvents.filter(({ ph }) => ph === "X");
  const styles = whole.filter(({ name }) => name === "UpdateLayoutTree");
  const pages = new Set(styles.map(threadOf));
  const tasks = whole.filter(({ name }) => name === "RunTask");
  const isPage = (task: Event) => pages.has(threadOf(task));
  const isWorker = (task: Event) => names.get(threadOf(task)) === "DedicatedWorker thread";
  const cost = (is: (task: Event) => boolean) => tasks.filter(is).map(({ tdur = 0 }) => tdur / 1000);
  const shown = traceEvents.find(({ name }) => name === mark)?.ts ?? Infinity;
  return [
    result,
    {
      page: cost(isPage),
      worker: cost(isWorker),
      untilShown: sum(cost((task) => task.ts < shown && (isPage(task) || isWorker(task)))),
      styled: styles.map(({ args }) => args.elementCount ?? 0),
    },
  ];
}

/** Clicks a button in the page, and returns the milliseconds until something appears, by the page's own clock. */
export function untilShown(page: Page, button: string, shown: string, ended: string): Promise<number> {
  return page.evaluate(
    ([pressed = "", first = "", last = "", seen = ""]) =>
      new Promise<number>((resolve, reject) => {
        const start = performance.now();
        let milliseconds: number | undefined;
        const textOf = (selector: string) => document.querySelector(selector)?.textContent ?? "";
        const observer = new MutationObserver(() => {
          if (milliseconds === undefined && /\d/.test(textOf(first))) {
            milliseconds = performance.now() - start;
            performance.mark(seen);
          }
          const outcome = textOf(last);
          // The worker may die before the first answer, also because the machine gave it no time.
          if (!/^(Done|It ended|The services in this page ended)/.test(outcome)) return;
          observer.disconnect();
          if (milliseconds === undefined) reject(new Error(outcome));
          else resolve(milliseconds);
        });
        observer.observe(document.body, { subtree: true, childList: true, characterData: true });
        document.querySelector<HTMLElement>(pressed)?.click();
      }),
    [button, shown, ended, mark],
  );
}

export const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0);
