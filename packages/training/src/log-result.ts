/**
 * The response of Log from a service that follows the proposal of this project. The interface leaves the answer open, so
 * `models.log` returns `unknown`: check it with {@link isLogResult}.
 *
 * @beta
 */
export interface LogResult {
  /** The metrics that were calculated, keyed `{split}/{name}`. A metric without values is omitted. */
  metrics: Record<string, number>;
  /** The step of the checkpoint that they were added to. */
  step: number;
  /** The names of your metrics that were stored and not averaged, because they are reserved; absent if there are none. */
  ignored_metrics?: string[];
}

/**
 * Whether a response of Log is a {@link LogResult}.
 *
 * @beta
 */
export function isLogResult(value: unknown): value is LogResult {
  if (!isObject(value) || !Number.isInteger(value["step"])) return false;
  const { metrics, ignored_metrics: ignored = [] } = value;
  if (!Array.isArray(ignored) || !ignored.every((name) => typeof name === "string")) return false;
  return isObject(metrics) && Object.values(metrics).every((metric) => typeof metric === "number");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
