import { expect, it } from "vitest";
import { Failure } from "../failure.ts";
import { comment, type Api } from "./comment.ts";
import { readPullRequest } from "./pull-request.ts";

interface Said {
  readonly id: number;
  readonly user: { readonly login: string } | null;
  body: string;
}

const bot = { login: "github-actions[bot]" };
const run = "https://github.com/harbor/trains/actions/runs/7";
const pullRequest = { repository: "harbor/trains", number: 12, fork: false };

/** GitHub with the comments of one pull request. */
function github(comments: Said[] = [], refuses?: number): Api & { readonly asked: string[] } {
  const asked: string[] = [];
  return {
    url: "https://api.example.com",
    token: "ghs_secret",
    asked,
    fetch: async (url, { method, headers, body }) => {
      const { pathname, searchParams } = new URL(url);
      asked.push(`${method} ${pathname}`);
      expect(new Headers(headers).get("authorization")).toBe("Bearer ghs_secret");
      if (refuses !== undefined && method !== "GET") return Response.json({ message: "No." }, { status: refuses });
      const text = typeof body === "string" ? JSON.parse(body).body : "";
      if (method === "GET" && pathname === "/repos/harbor/trains/issues/12/comments") {
        const [size, page] = [Number(searchParams.get("per_page")), Number(searchParams.get("page"))];
        return Response.json(comments.slice(size * (page - 1), size * page));
      }
      if (method === "POST" && pathname === "/repos/harbor/trains/issues/12/comments") {
        comments.push({ id: comments.length + 1, user: bot, body: text });
        return Response.json(comments.at(-1), { status: 201 });
      }
      const own = comments.find(({ id }) => pathname === `/repos/harbor/trains/issues/comments/${id}`);
      if (method !== "PATCH" || own === undefined) return Response.json({ message: "Not Found" }, { status: 404 });
      own.body = text;
      return Response.json(own);
    },
  };
}

it("writes one comment and brings it up to date, however many others there are", async () => {
  const others = Array.from({ length: 230 }, (_, id) => ({ id: id + 1, user: { login: "ada" }, body: "Nice." }));
  const comments: Said[] = [...others, { id: 231, user: null, body: "I am gone." }];
  const api = github(comments);
  expect(await comment(api, pullRequest, "Additive.", run)).toBe("written");
  expect(await comment(api, pullRequest, "Additive.", run)).toBe("unchanged");
  expect(await comment(api, pullRequest, "Breaking.", run)).toBe("updated");
  expect(comments).toHaveLength(232);
  expect(comments.at(-1)?.body).toMatch(/^<!-- .* -->\nBreaking\.$/);
  expect(api.asked.filter((each) => !each.startsWith("GET"))).toEqual([
    "POST /repos/harbor/trains/issues/12/comments",
    "PATCH /repos/harbor/trains/issues/comments/232",
  ]);
});

it("never touches a comment of somebody else that holds the same mark", async () => {
  const comments: Said[] = [];
  await comment(github(comments), pullRequest, "Additive.", run);
  const copied: Said[] = [{ id: 1, user: { login: "ada" }, body: comments[0]?.body ?? "" }];
  expect(await comment(github(copied), pullRequest, "Breaking.", run)).toBe("written");
  expect(copied[0]?.body).toContain("Additive.");
});

it("cuts what GitHub would not take between two lines, and says where the rest is", async () => {
  const comments: Said[] = [];
  const long = `<details>\n${"| a change | of the contract |\n".repeat(5000)}</details>`;
  await comment(github(comments), pullRequest, long, run);
  const { body = "" } = comments[0] ?? {};
  expect(body.length).toBeLessThan(65_536);
  expect(body).toMatch(/\| of the contract \|\n\n<\/details>\n\nThe rest stands in the \[summary of the run\]/);
  expect(body).toContain(run);
});

it("says that it may not write, and fails on any other error without telling the token", async () => {
  expect(await comment(github([], 403), pullRequest, "Additive.", run)).toBe("refused");
  const error: unknown = await comment(github([], 502), pullRequest, "Additive.", run).catch((error: unknown) => error);
  expect(error).toBeInstanceOf(Failure);
  expect(String(error)).toContain("GitHub answered 502 to POST /repos/harbor/trains/issues/12/comments");
  expect(String(error)).not.toContain("ghs_secret");
});

it("tells a pull request of a fork, also of one that is gone, from one of the repository", () => {
  const event = (repo: object | null): string =>
    JSON.stringify({ repository: { full_name: "harbor/trains" }, pull_request: { number: 12, head: { repo } } });
  expect(readPullRequest(event({ full_name: "harbor/trains" }))).toEqual(pullRequest);
  expect(readPullRequest(event({ full_name: "ada/trains" })).fork).toBe(true);
  expect(readPullRequest(event(null)).fork).toBe(true);
  expect(() => readPullRequest("{}")).toThrow("This is no event of a pull request");
});
