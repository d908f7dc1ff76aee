/** How much a report shows. */
export interface Amount {
  /** The length of each list: changes, refusals, lines to accept. What is left is counted. */
  readonly items: number;
  readonly services: number;
  /** The length of lists within a sentence. */
  readonly names: number;
  /** Whether the same change in many places is shown once. */
  readonly isGrouped: boolean;
}

/** The lines of a screen. */
const height = 40;

const whole: Amount = { items: Infinity, services: Infinity, names: Infinity, isGrouped: false };

/** The lengths to try, because each try prints a report. */
const lengths = [24, 20, 16, 14, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0];

const grouped: Amount = { ...whole, names: 3, isGrouped: true };

/** From much to little. */
const amounts: readonly Amount[] = [
  grouped,
  ...lengths.slice(0, -1).map((items) => ({ ...grouped, items })),
  ...lengths.map((services) => ({ ...grouped, items: 1, services })),
];

/**
 * A report: whole or, with the name of a file that has the whole report, on one screen. The last line names the file, if
 * something is left out.
 */
export function printed(print: (amount: Amount) => string, file: string | undefined): string {
  const all = print(whole);
  if (file === undefined) return all;
  const last = `\n\nThe whole report: ${file}`;
  for (const amount of amounts) {
    const text = print(amount);
    if (text === all && text.split(/\n|<br>/).length <= height) return text;
    if (`${text}${last}`.split(/\n|<br>/).length <= height) return text + last;
  }
  return all;
}

/** The first items and, after `start`, the number of the others. */
export function first<One>(all: readonly One[], count: number, print: (one: One) => string, start = ""): string[] {
  const left = all.length - count;
  return [...all.slice(0, count).map(print), ...(left > 0 ? [`${start}… and ${left} more`] : [])];
}
