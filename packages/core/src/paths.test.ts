import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createDemoClient } from "../test/demo-client.ts";
import { demo, rejection } from "../test/answering.ts";
import { ConfigurationError } from "./errors/index.ts";
import { baseUrlOf, fillPath } from "./paths.ts";

afterEach(() => vi.unstubAllEnvs());

describe("paths", () => {
  it.each([undefined, null, {}, [], ["a"], false])("reject %j, which is not a parameter", (value) => {
    expect(() => fillPath("/v1/models/{model_id}", { model_id: value })).toThrow(ConfigurationError);
  });

  it("are required in a call by path", async () => {
    const { http, sent } = demo([200]);
    // @ts-expect-error the parameters are missing
    expect(await rejection(http.GET("/v1/models/{model_id}", {}))).toBeInstanceOf(ConfigurationError);
    expect(sent).toHaveLength(0);
  });

  it("stay one segment of the address, whatever the parameter", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (id) => {
        fc.pre(id !== "." && id !== "..");
        const { pathname } = new URL(`http://demo.test${fillPath("/a/{id}/b", { id })}`);
        const segments = pathname.split("/");
        expect(segments).toHaveLength(4);
        expect(decodeURIComponent(segments[2] ?? "")).toBe(id);
        expect(segments[3]).toBe("b");
      }),
    );
  });
});

describe("baseUrl", () => {
  const read = { read: { method: "GET", path: "/read" }, check: { method: "GET", path: "/v1/check" } } as const;
  const variables = { baseUrl: "DEMO_ADDRESS" };
  const service = { name: "demo", contractVersion: "1.0.0", variables, timeout: 60, operations: read };

  it("is the option, else the environment variable that the service names", () => {
    vi.stubEnv("DEMO_ADDRESS", "http://from.environment/v1/");
    expect(baseUrlOf(service, undefined)).toBe("http://from.environment/v1");
    expect(baseUrlOf(service, "https://from.option///")).toBe("https://from.option");
    expect(() => baseUrlOf({ ...service, variables: {} }, undefined)).toThrow(
      /^The demo client needs a plain http\(s\) URL: pass baseUrl\.$/,
    );
  });

  it("loses one trailing /v1 if every path of the service begins with it", async () => {
    for (const [baseUrl, path] of [
      ["http://demo.test/v1", "/v1/check"],
      ["http://demo.test/v1//", "/v1/check"],
      ["http://demo.test/gateway/v1/", "/gateway/v1/check"],
      ["http://demo.test/v1/v1", "/v1/v1/check"],
      ["http://demo.test/api-v1", "/api-v1/v1/check"],
    ] as const) {
      const { client, sent } = demo([200], { baseUrl });
      await client.check();
      expect(sent[0]?.url).toBe(`http://demo.test${path}`);
    }
    expect(baseUrlOf(service, "http://demo.test/v1")).toBe("http://demo.test/v1");
  });

  it("fails at construction if it is missing, naming the variable", () => {
    vi.stubEnv("TRAINYARD_DEMO_URL", "");
    expect(() => createDemoClient({ apiKey: "k" })).toThrow(
      "The demo client needs a plain http(s) URL: pass baseUrl, or set TRAINYARD_DEMO_URL.",
    );
  });

  it("says that a URL begins without http://", () => {
    expect(() => baseUrlOf(service, "127.0.0.1:4010")).toThrow(/It begins without http:\/\/\.$/);
    expect(() => baseUrlOf(service, "https://a.b?q=1")).toThrow(/DEMO_ADDRESS\.$/);
  });

  it.each(["nonsense", "ftp://a.b", "http://user:secret@a.b", "http://a.b?q=1", "http://a.b#c", "file:///a"])(
    "rejects %s, and does not repeat it",
    (baseUrl) => {
      expect(() => createDemoClient({ baseUrl, apiKey: "k" })).toThrow(ConfigurationError);
      expect(() => createDemoClient({ baseUrl, apiKey: "k" })).not.toThrow(baseUrl);
    },
  );
});
