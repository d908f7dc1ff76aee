/**
 * A service that keeps the interface and nothing more contradicts nothing that is said in its name.
 * @module-tag long
 */
import { verifyCommand } from "@trainyard/live/verify";
import { expect, it } from "vitest";
import { startInterfaceService, type Choices } from "./verify/fixtures/interface-service.ts";
import { contracts } from "./verify/listening.ts";
import { key } from "./verify/server.ts";

const json = { "content-type": "application/json" };
const challenge = { "www-authenticate": "Bearer" };

const kinds: readonly (readonly [title: string, choices: Choices])[] = [
  [
    "empty objects, and 401",
    { refusal: { status: 401, headers: { ...json, ...challenge }, body: "{}" }, notShown: {} },
  ],
  [
    "values of its own, 403 in words, and 400 for what it does not know",
    {
      refusal: { status: 403, headers: { "content-type": "text/plain" }, body: "No." },
      notShown: { done: true },
      unknownStatus: 400,
      isStrict: true,
    },
  ],
  [
    "null, 401 without a body, and 422 in words",
    { refusal: { status: 401, headers: challenge, body: "" }, notShown: null, unknownStatus: 422 },
  ],
];

it.each(kinds.flatMap(([title, choices]) => [[], ["--write"]].map((args) => ({ title, choices, args }))))(
  "finds no contradiction at --basis interface in $title $args",
  async ({ choices, args }) => {
    const service = await startInterfaceService(key, choices);
    let out = "";
    const code = await verifyCommand([service.url, "--basis", "interface", "--format", "json", ...args], contracts, {
      out: (text) => (out += String(text)),
      err: () => undefined,
      environment: { TRAINYARD_API_KEY: key },
    });
    service.close();
    const { findings, proposals, calls } = JSON.parse(out);
    expect(findings.filter(({ certainty }: { certainty: string }) => certainty === "contradicts")).toEqual([]);
    expect(proposals.length).toBeGreaterThan(20);
    expect({ code, isWhole: calls > 250 }).toEqual({ code: 0, isWhole: true });
  },
);
