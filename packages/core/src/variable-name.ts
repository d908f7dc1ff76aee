/**
 * The environment variable of an option, a flag or an address: `TRAINYARD_ACCESS_TOKEN` for `accessToken`,
 * `TRAINYARD_DATA_HOST` for `data-host`, `TRAINYARD_TRAINING_URL` for `training_url`.
 */
export function variableName(name: string): string {
  return `TRAINYARD_${name.replace(/\W/g, "_").replace(/[A-Z]/g, "_$&").toUpperCase()}`;
}
