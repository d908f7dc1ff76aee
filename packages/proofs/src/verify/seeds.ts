import { errors } from "./seeds/errors.ts";
import { headers } from "./seeds/headers.ts";
import { keys } from "./seeds/keys.ts";
import { objects } from "./seeds/objects.ts";
import { pages } from "./seeds/pages.ts";
import { statistics } from "./seeds/statistics.ts";
import { statuses } from "./seeds/statuses.ts";
import { streams } from "./seeds/streams.ts";
import { training } from "./seeds/training.ts";
import { values } from "./seeds/values.ts";
import { seedOf, type Seed } from "./seed.ts";

/** Divergences that the verifier must find. */
export const seeds: readonly Seed[] = [
  ...values,
  ...statuses,
  ...headers,
  ...errors,
  ...keys,
  ...pages,
  ...streams,
  ...training,
  ...statistics,
  ...objects,
].map(seedOf);
