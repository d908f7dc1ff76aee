import { isObject, type JsonObject } from "@trainyard/core/validation";
import { dialect, type ContractRule } from "@trainyard/document";
import type { RuleId, ruleIds } from "../../generated/rules.ts";
import type { Answer, Exchange } from "../wire.ts";

export interface Seen extends Pick<Exchange, "body" | "path"> {
  readonly service: Pick<Exchange["service"], "name">;
  readonly operation: Pick<NonNullable<Exchange["operation"]>, "method" | "basis"> | undefined;
  readonly sent: Pick<Exchange["sent"], "url">;
  readonly answer: Pick<Answer, "status" | "isExample" | "text">;
}

/** How many jobs, objects and requests are remembered: a server may check its answers for months. */
const most = 10_000;

/** A map that forgets what was set first. */
class Newest<T> extends Map<string, T> {
  override set(key: string, value: T): this {
    super.set(key, value);
    const [oldest] = this.size > most ? this.keys() : [];
    if (oldest !== undefined) this.delete(oldest);
    return this;
  }
}

export class State {
  readonly #jobs = new Newest<{ status?: string; end?: string }>();
  readonly versions: Map<string, number> = new Newest();
  readonly requestIds: Map<string, string> = new Newest();
  /** The rules that were checked, and what was tried, each with the name of its service. */
  readonly checked: Set<string> = new Set();

  /** What the responses so far said about a job: its last status, and the end that its events report. */
  job(id: string): { status?: string; end?: string } {
    const job = this.#jobs.get(id) ?? {};
    this.#jobs.set(id, job);
    return job;
  }
}

/**
 * Says what was seen instead of what a rule says; undefined if the value keeps it.
 * @param of the object with the property, or the value itself
 */
export type Check = (value: unknown, of: JsonObject, seen: Seen, state: State) => string | undefined;

export type Row =
  | Check
  /** Only for operations that were performed, and not for the examples of a mock. */
  | { readonly performed: Check }
  /** By requests of a run, in the words that a run says about them. */
  | { readonly tried: string }
  | { readonly unchecked: string };

export const performed = (check: Check): Row => ({ performed: check });

export const each = <Id extends RuleId>(row: Row, ...ids: readonly Id[]): Record<Id, Row> =>
  Object.fromEntries(ids.map((id) => [id, row])) as Record<Id, Row>;

type Services = typeof ruleIds;

/** The id of a rule that only the auxiliary service's document has. */
export type AuxiliaryRule = Exclude<RuleId, Services[Exclude<keyof Services, "auxiliary">][number]>;

export function ruleOf(node: JsonObject | undefined, id: RuleId): ContractRule | undefined {
  return dialect.rules.read(node ?? {}).find((one) => one.id === id);
}

export const bodyOf = ({ body }: Seen): JsonObject => (isObject(body) ? body : {});

export const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

export const objectsIn = (value: unknown): JsonObject[] => list(value).filter(isObject);

/** A rule of what the response repeats from the body of a request. */
export const echo = (name: string): Row =>
  performed((value, _, seen) => {
    const wanted = seen.operation?.method === "POST" ? bodyOf(seen)[name] : undefined;
    return typeof wanted !== "string" || value === wanted ? undefined : `${String(value)} for ${wanted}`;
  });

/** Whether a time is written with an offset, as RFC 3339 demands and ISO 8601 does not. */
export const hasOffset = (time: unknown): boolean => /[Tt].*(?:[Zz]|[+-]\d\d:\d\d)$/.test(String(time));

export const notNegative: Check = (value) => (Number(value) < 0 ? String(value) : undefined);

export const notEmpty: Check = (value) => (String(value).trim() === "" ? "an empty text" : undefined);

/** The largest Unix time in seconds (the year 5138). Times in milliseconds since 1973 are larger. */
const mostSeconds = 1e11;

export const unixTime: Check = (value) =>
  typeof value === "number" && (value < 0 || value >= mostSeconds)
    ? `${value}, which is not a time in seconds`
    : undefined;

export const eachOnce: Check = (value) => {
  const twice = twiceIn(list(value));
  return twice === undefined ? undefined : `${twice} occurs twice`;
};

export function twiceIn(values: readonly unknown[]): string | undefined {
  const texts = values.filter((value) => typeof value === "string");
  const once = new Set(texts);
  return once.size === texts.length ? undefined : texts.find((value) => !once.delete(value));
}
