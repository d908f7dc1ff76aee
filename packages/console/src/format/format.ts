/** The format of numbers and times. A missing value is a dash, never 0. */

const missing = "–";
const thin = "\u202f";
const minus = "−";
const counts = new Intl.NumberFormat("en");

type Maybe = number | null | undefined;

const isKnown = (value: Maybe): value is number => value !== null && value !== undefined && Number.isFinite(value);
const signed = (text: string) => text.replace("-", minus);

/** `22,016` */
export function count(value: Maybe): string {
  return isKnown(value) ? signed(counts.format(Math.round(value))) : missing;
}

/** A number with the word for it: `1 group`, `22,016 groups`. */
export function counted(value: number, word: string): string {
  return `${count(value)} ${word}${value === 1 ? "" : "s"}`;
}

/** A reward or a mean: `0.74` in a row, `0.741` in a header. A value far from 0 to 1 has fewer decimals. */
export function reward(value: Maybe, digits = 2): string {
  if (!isKnown(value)) return missing;
  const size = Math.abs(value);
  if (size >= 1e6) return signed(value.toExponential(1)).replace("e+", "e");
  return signed(value.toFixed(size >= 1000 ? 0 : size >= 10 ? Math.min(1, digits) : digits));
}

/** With its sign: `+0.8`, `−1.4`. */
export function advantage(value: Maybe): string {
  const text = change(value, 1);
  return text === "+0.0" ? "0.0" : text;
}

/** A change, with its sign: `+0.01`. */
export function change(value: Maybe, digits = 2): string {
  if (!isKnown(value)) return missing;
  const text = reward(Math.abs(value), digits);
  return `${value < 0 && Number(text) !== 0 ? minus : "+"}${text}`;
}

/** `38 %` */
export function share(value: Maybe, digits = 0): string {
  return isKnown(value) ? `${signed((value * 100).toFixed(digits))}${thin}%` : missing;
}

/** A value of any size, with two significant digits: `0.0047`, `1.2e-6`. */
export function small(value: Maybe): string {
  if (!isKnown(value)) return missing;
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 1e-4 || size >= 1e6) return signed(value.toExponential(1)).replace("e+", "e");
  return size >= 100 ? count(value) : signed(String(Number(value.toPrecision(2))));
}

/** A duration: `4 s`, `12 min`, `3 h 12 min`, `2 d`. */
export function duration(milliseconds: Maybe): string {
  if (!isKnown(milliseconds)) return missing;
  const seconds = Math.max(0, milliseconds) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1).replace(/\.0$/, "")}${thin}s`;
  if (seconds < 60) return `${Math.round(seconds)}${thin}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}${thin}min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}${thin}h${minutes % 60 === 0 ? "" : ` ${minutes % 60}${thin}min`}`;
  return `${Math.floor(hours / 24)}${thin}d`;
}

/** The time since then; after a week, the date: `4 s ago`, `2026-11-03`. */
export function ago(time: string | null | undefined, now: number): string {
  if (time === null || time === undefined) return missing;
  const passed = now - Date.parse(time);
  if (passed > 7 * 86_400_000) return time.slice(0, 10);
  return passed < 1000 ? "now" : `${duration(passed < 10_000 ? Math.floor(passed / 1000) * 1000 : passed)} ago`;
}

/** The time of day, to the second. */
export function clock(time: string | number): string {
  return new Date(time).toLocaleTimeString("en-GB");
}
