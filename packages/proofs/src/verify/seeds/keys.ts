import type { SeedRow } from "../seed.ts";

/** Divergences in authentication. */
export const keys: readonly SeedRow[] = [
  {
    title: "WWW-Authenticate is missing",
    on: "inference models.list 401",
    names: /WWW-Authenticate/i,
    change: (answer) => answer.headers.delete("www-authenticate"),
  },
  {
    title: "no key is required",
    on: "inference models.list 401",
    names: /401/,
    change: async (answer, { headers, forward }) => {
      if (headers.has("authorization")) return;
      const changed = new Headers(headers);
      changed.set("authorization", "Bearer key-of-harbor");
      Object.assign(answer, await forward({ headers: changed }));
    },
  },
  {
    title: "any key is accepted",
    on: "training trainingJobs.get 401",
    names: /401/,
    change: async (answer, { headers, forward }) => {
      if (!headers.has("authorization")) return;
      const changed = new Headers(headers);
      changed.set("authorization", "Bearer key-of-harbor");
      Object.assign(answer, await forward({ headers: changed }));
    },
  },
  {
    title: "a key in the query is accepted",
    on: "inference models.list 401",
    names: /401/,
    change: async (answer, { url, headers, forward }) => {
      const key = url.searchParams.get("api_key");
      if (key === null) return;
      const changed = new Headers(headers);
      changed.set("authorization", `Bearer ${key}`);
      Object.assign(answer, await forward({ headers: changed }));
    },
  },
  {
    title: "a key with additional characters is accepted",
    on: "auxiliary hardware.list 401",
    names: /401/,
    change: async (answer, { headers, forward }) => {
      if (!headers.get("authorization")?.startsWith("Bearer key-of-harbor")) return;
      const changed = new Headers(headers);
      changed.set("authorization", "Bearer key-of-harbor");
      Object.assign(answer, await forward({ headers: changed }));
    },
  },
  {
    title: "the password of basic authentication is not accepted",
    on: "auxiliary objects.read any",
    names: /basicKey/,
    change: (answer, { headers }) => {
      if (!headers.get("authorization")?.startsWith("Basic")) return;
      answer.status = 401;
      answer.headers.set("www-authenticate", "Bearer");
      answer.text = '{"reason": "No."}';
    },
  },
  {
    title: "WWW-Authenticate names a scheme that is not supported",
    on: "training models.create 401",
    names: /WWW-Authenticate/,
    change: (answer) => answer.headers.set("www-authenticate", "Digest realm=x"),
  },
  {
    title: "health requires a key",
    on: "training health.check any",
    names: /without a key/,
    change: (answer, { headers }) => {
      if (headers.has("authorization")) return;
      answer.status = 401;
      answer.text = '{"detail": "A key, please."}';
    },
  },
];
