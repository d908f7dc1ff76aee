import type { SeedRow } from "../seed.ts";

/** Divergences in the status of a response. */
export const statuses: readonly SeedRow[] = [
  {
    title: "creation returns 201",
    on: "training models.create 200 writing",
    names: /201/,
    change: (answer) => void (answer.status = 201),
  },
  {
    title: "health returns 500",
    on: "training health.check",
    names: /500/,
    change: (answer) => {
      answer.status = 500;
      answer.text = '{"detail": "Something went wrong."}';
    },
  },
  {
    title: "an unknown id returns 400",
    on: "training trainingJobs.get 404",
    names: /404|400/,
    change: (answer) => void (answer.status = 400),
  },
  {
    title: "a redirect is returned",
    on: "inference models.list",
    names: /307/,
    change: (answer, { url }) => {
      answer.status = 307;
      answer.headers.set("location", `${url.pathname}/`);
    },
  },
  {
    title: "an unknown path returns 200",
    on: "training * 404",
    names: /404/,
    change: (answer, { url }) => {
      if (/models|jobs/.test(url.pathname)) return;
      answer.status = 200;
    },
  },
  {
    title: "a 405 has no Allow header",
    on: "training * 405",
    names: /Allow/,
    change: (answer) => answer.headers.delete("allow"),
  },
  {
    title: "HEAD returns another status than GET",
    on: "training health.check any",
    names: /HEAD/,
    change: (answer, { method }) => {
      if (method === "HEAD") answer.status = 404;
    },
  },
  {
    title: "another method is accepted as GET",
    on: "training * 405",
    names: /405/,
    change: (answer) => {
      answer.status = 200;
    },
  },
  {
    title: "HEAD returns another media type than GET",
    on: "inference models.list any",
    names: /HEAD/,
    change: (answer, { method }) => {
      if (method === "HEAD") answer.headers.set("content-type", "text/html");
    },
  },
];
