import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, expect, it, onTestFinished } from "vitest";
import { createServer } from "../src/index.ts";
import { temporaryFolder } from "./folders.ts";

const folder = temporaryFolder(afterAll);
mkdirSync(join(folder, "site/guides/chat"), { recursive: true });
writeFileSync(join(folder, "site/index.html"), "home");
writeFileSync(join(folder, "site/guides/chat/index.html"), "chat");
writeFileSync(join(folder, "secret.txt"), "not of the site");

const server = createServer({ site: join(folder, "site") });
afterAll(() => server.close());

it.each([
  ["/docs", 308, "/docs/"],
  ["/docs/", 200, "home"],
  ["/docs/guides/chat", 308, "chat/"],
  ["/docs/guides/chat/", 200, "chat"],
  ["/docs/guides/chat/index.html", 200, "chat"],
])("returns for %s the status %i", async (path, status, expected) => {
  const response = await server.fetch(new Request(`http://127.0.0.1${path}`));
  expect(response.status).toBe(status);
  expect(status === 308 ? response.headers.get("location") : await response.text()).toBe(expected);
});

it.each(["/docs/nothing", "/docs/%2e%2e/secret.txt", "/docs/..%2fsecret.txt", "/docs/%00", "/docs/%"])(
  "returns 404 for %s",
  async (path) => {
    const response = await server.fetch(new Request(`http://127.0.0.1${path}`));
    expect(response.status).toBe(404);
  },
);

it.each(["gzip", "br, gzip;q=0.5", "gzip;q=0", "identity", undefined])(
  "compresses if %s permits it",
  async (accepted) => {
    const headers = accepted === undefined ? {} : { "Accept-Encoding": accepted };
    const response = await server.fetch(new Request("http://127.0.0.1/docs/", { headers }));
    const isPacked = response.headers.get("content-encoding") === "gzip";
    expect(isPacked).toBe(accepted !== undefined && /gzip($|;q=0\.5)/.test(accepted));
    const body = Buffer.from(await response.arrayBuffer());
    expect(String(isPacked ? gunzipSync(body) : body)).toBe("home");
  },
);

it("returns the site's own page for an address that does not exist, with links that lead into the site", async () => {
  const site = join(folder, "site-with-404");
  mkdirSync(site);
  writeFileSync(
    join(site, "404.html"),
    '<link rel="stylesheet" href="/style.css"><script>const path = "/";</script><a class="home" href="/">Home</a> <a href="#top">Top</a>',
  );
  const other = createServer({ site });
  onTestFinished(() => other.close());
  const ask = (path: string, method = "GET") => other.fetch(new Request(`http://127.0.0.1${path}`, { method }));
  const response = await ask("/docs/no/such/page/");
  expect([response.status, response.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
  expect(await response.text()).toBe(
    '<link rel="stylesheet" href="/docs/style.css"><script>const path = "/";</script><a class="home" href="/docs/">Home</a> <a href="#top">Top</a>',
  );
  expect(await (await ask("/docs/nothing", "HEAD")).text()).toBe("");
  expect((await ask("/nothing")).headers.get("content-type")).toBe("application/json");
});

it("returns a page that reloads itself until the folder exists", async () => {
  const site = join(folder, "site-being-built");
  const other = createServer({ site });
  onTestFinished(() => other.close());
  const ask = (method = "GET") => other.fetch(new Request("http://127.0.0.1/docs/guides/", { method }));
  const response = await ask();
  const { headers } = response;
  expect([response.status, headers.get("retry-after"), headers.get("refresh")]).toEqual([503, "2", "2"]);
  expect(await response.text()).toContain("not built yet");
  expect(await (await ask("HEAD")).text()).toBe("");
  mkdirSync(join(site, "guides"), { recursive: true });
  writeFileSync(join(site, "guides/index.html"), "guides");
  expect(await (await ask()).text()).toBe("guides");
});
