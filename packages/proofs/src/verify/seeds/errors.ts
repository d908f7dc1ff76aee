import { isObject } from "@trainyard/core/validation";
import { json, type SeedRow } from "../seed.ts";

/** Divergences in how invalid requests are rejected. */
export const errors: readonly SeedRow[] = [
  {
    title: "an error has the format of another service",
    on: "training trainingJobs.get 404",
    names: /detail/,
    change: json(() => ({ error: { message: "There is no such job." } })),
  },
  {
    title: "an error for an invalid body does not list the invalid fields",
    on: "training models.create 422",
    names: /detail/,
    change: json(() => ({ message: "The body is not valid." })),
  },
  {
    title: "an error is an HTML page",
    on: "auxiliary feedback.stats 422",
    names: /text\/html|media type|Content-Type/i,
    change: (answer) => {
      answer.headers.set("content-type", "text/html");
      answer.text = "<h1>Bad request</h1>";
    },
  },
  {
    title: "an unknown property is accepted",
    on: "auxiliary objects.read 422",
    names: /422/,
    change: async (answer, { body, forward }) => {
      if (!isObject(body)) return;
      const { project_id, object_id, digest } = body;
      Object.assign(answer, await forward({ body: { project_id, object_id, digest } }));
    },
  },
  {
    title: "an invalid percentile returns 422 instead of 400",
    on: "auxiliary feedback.stats 400",
    names: /400|422/,
    change: (answer) => {
      answer.status = 422;
      answer.text = JSON.stringify({ detail: [{ loc: ["body", "metrics", 0], msg: "No.", type: "value_error" }] });
    },
  },
  {
    title: "an error names an invalid field without its path",
    on: "training models.create 422",
    names: /detail|loc/,
    change: json(({ detail }) => {
      for (const fault of Array.isArray(detail) ? detail : []) if (isObject(fault)) fault["loc"] = ["body"];
    }),
  },
  {
    title: "an error lists a fault twice",
    on: "training models.create 422",
    names: /once/,
    change: json((body) => {
      if (Array.isArray(body["detail"])) body["detail"] = [...body["detail"], ...body["detail"]];
    }),
  },
  {
    title: "an error does not name the invalid parameter",
    on: "inference chat.completions.create 400",
    names: /param/,
    change: json(({ error }) => {
      if (isObject(error)) error["param"] = null;
    }),
  },
  {
    title: "an invalid body is accepted",
    on: "training chat.completions.create 422",
    names: /422/,
    change: async (answer, { forward }) => {
      const messages = [{ role: "user", content: "?" }];
      Object.assign(answer, await forward({ body: { model: "demo/tiny", messages } }));
    },
  },
  {
    title: "a request for an unknown model is answered by another model",
    on: "inference chat.completions.create 404",
    names: /404/,
    change: async (answer, { body, forward }) => {
      if (isObject(body))
        Object.assign(answer, await forward({ body: { ...body, model: "demo/tiny", stream: false } }));
    },
  },
  {
    title: "an invalid header parameter is accepted",
    on: "inference models.list 400",
    names: /400/,
    change: async (answer, { headers, forward }) => {
      const without = new Headers(headers);
      without.delete("compat-project");
      Object.assign(answer, await forward({ headers: without }));
    },
  },
];
