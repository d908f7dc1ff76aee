const units: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };

/** Reads an age or a time span, such as `90d`, as seconds; undefined if it is none. */
export function secondsOf(text: string): number | undefined {
  const [, number, unit = ""] = /^(\d+)([smhdw])$/.exec(text.trim()) ?? [];
  const seconds = Number(number) * (units[unit] ?? 0);
  return Number.isSafeInteger(seconds) ? seconds : undefined;
}
