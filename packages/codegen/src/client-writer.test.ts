import { beforeAll, expect, it } from "vitest";
import { atlasBundle } from "../test/library.ts";
import { clientSource } from "./client-writer.ts";
import { judge } from "./read-service.ts";
import { variablesOf } from "./schemes.ts";
import type { Service } from "./service.ts";

let source = "";
let service: Service;
beforeAll(async () => {
  service = judge("atlas", await atlasBundle()).service;
  source = clientSource(service);
});

it("writes an operation's row for the engine", () => {
  const rows = source.split("\n").filter((line) => / = \{ name: "[a-z.]+", method:/i.test(line));
  expect(rows.map((row) => /name: "(.+?)"/.exec(row)?.[1])).toEqual([
    "features.draw",
    "guide.ask",
    "hours.get",
    "maps.create",
    "maps.delete",
    "maps.list",
    "maps.sheets.get",
  ]);
  expect(source).toContain(
    `export const mapsCreate: Op<MapsMethods["create"]> = { name: "maps.create", method: "POST", path: "/v1/maps", ` +
      `body: true, resend: "with-key", timeout: 600, security: [["curatorToken"], ["apiKey"]], keyed: true, ` +
      `fill: { "Library-Reader": "reader" }, expects: ["id", "name", "sheets"] };\n`,
  );
  expect(source).toContain(
    `export const featuresDraw: Op<FeaturesMethods["draw"]> = { name: "features.draw", method: "POST", ` +
      `path: "/v1/features", aliases: ["/v1/features/"], body: true, expects: ["pins"] };\n`,
  );
  expect(source).toContain(`page: { cursor: "after", item: "id", more: "has_more" }`);
  expect(source).toContain(`stream: { toggle: "stream", end: "[DONE]" }`);
  expect(source).toMatch(/name: "maps\.delete", .*, deprecated: true \};/);
});

it("documents a method: its effect, parameters, declared errors, deprecation and stability", () => {
  expect(source).toContain(`  /**
   * List Maps
   *
   * Lists the maps of the library, oldest first.
   * @param query \`after\`, \`limit\` and \`themes\`
   * @returns A page of maps.
   * @throws {UnauthorizedError} 401: The key is missing or wrong.
   * @throws {ServerError} 500, 503
   * @beta
   */
  list(query?: MapsListQuery, options?: CallOptions): PagePromise<Map>;
`);
  expect(source).toContain(`   * Removes sheets of a map.
   * @param mapId The map whose sheets go.
   * @returns What was removed.
   * @throws {NotFoundError} 404: Nothing has this id.
   * @deprecated Replaced by \`maps.create\`.
   */
  delete(mapId: string, body: MapsDeleteBody, options?: CallOptions): ApiPromise<MapsDeleteResult>;
`);
});

it("takes a single path parameter by position, several by name", () => {
  expect(source).toContain(
    `  get(path: { map_id: string; sheet_no: number }, query: MapsSheetsGetQuery, options?: CallOptions): ApiPromise<unknown>;\n`,
  );
  expect(source).toContain('path: "/v1/maps/{map_id}", body: true');
  expect(source).toContain('path: "/v1/maps/{map_id}/sheets/{sheet_no}", query: "argument"');
});

it("writes an option for each security scheme, and for each header with a client option", () => {
  expect(source).toContain("  curatorToken?: Secret | null;\n");
  expect(source).toMatch(
    / {2}\/\*\* Who reads, as `house\/name`\. Sent as the header `Library-Reader`\. \*\/\n {2}reader\?: string;\n/,
  );
});

it("writes no variable and no header of ours for a service that has none", () => {
  expect(source).toContain("It reads no environment variables. */");
  expect(source).not.toMatch(/variables:|identity:|TRAINYARD|the environment variable/);
});

it("gives the engine the variables and the header of the service, and documents them", () => {
  const variables = variablesOf(service.operations, "ATLAS");
  const own = clientSource({ ...service, variables, identity: "atlas-client" });
  expect(own).toContain("It reads the environment variables");
  expect(own.replaceAll(/\s+\* /g, " ")).toContain("Default: the environment variable `ATLAS_CURATOR_TOKEN`");
  expect(own).toMatch(
    /, variables: \{"baseUrl":"ATLAS_URL",.*"curatorToken":"ATLAS_CURATOR_TOKEN".*\}, identity: "atlas-client", /,
  );
});

it("writes no method for an alias", () => {
  expect(source).not.toContain("draw_features_v1_features__post");
});

it("documents a group with the description of its tag", () => {
  expect(source).toContain("/** Maps and their sheets. */\nexport interface MapsMethods {");
  expect(source).toContain("/** The methods `maps.sheets.*`. */\nexport interface MapsSheetsMethods {");
});

it("takes an optional query among the options, except for pages", () => {
  expect(source).toContain("  get(options?: CallOptions & { query?: HoursGetQuery }): ApiPromise<OpeningHours>;\n");
  expect(source).toContain("@param options `query` has `weekday`");
  expect(source).toContain('path: "/v1/opening-hours", query: "option"');
});

it("tells the engine which lists are one value, and imports what joins them", async () => {
  const document = structuredClone(await atlasBundle());
  const parameters = Object(document.paths["/v1/maps"]?.get?.["parameters"]);
  Object.assign(parameters.at(-1), { style: "form", explode: false });
  const joined = clientSource(judge("atlas", document).service);
  expect(joined).toMatch(/name: "maps\.list", .* joined: \["themes"\], /);
  expect(joined).toMatch(/\nimport \{[^}]*\bjoinLists,/);
  expect(joined).toMatch(/export const service: .* joinLists, v1: true \};/);
  expect(source).not.toContain("join");
});

it.each<[string, object, string | undefined]>([
  ["a whole address", { url: "https://a.test/v2" }, "https://a.test/v2"],
  ["variables", { url: "https://{r}.test", variables: { r: { default: "eu" } } }, "https://eu.test"],
  ["a variable without a default", { url: "https://{r}.test" }, undefined],
  ["a path", { url: "/v2" }, undefined],
])("makes the first address of a stranger's document the default: %s", async (_, server, expected) => {
  const document = { ...(await atlasBundle()), servers: [server] };
  const own = clientSource(judge("atlas", document).service);
  const strange = clientSource(judge("atlas", document).service, "", "./schema.js", false);
  expect(/ server: "([^"]*)"/.exec(strange)?.[1]).toBe(expected);
  expect(own).not.toContain(" server: ");
  expect(strange).not.toContain("  baseUrl?:");
});

it("writes the addresses of a stranger's document as a type, the default first", async () => {
  const variables = { r: { default: "eu", enum: ["us", "eu"] }, v: { default: "v1" } };
  const servers = [{ url: "https://{r}.test/{v}", variables }, { url: "/v2" }, { url: "http://b.test" }];
  const { service: strange } = judge("atlas", { ...(await atlasBundle()), servers });
  const written = clientSource({ ...strange, variables: { baseUrl: "A_URL" } }, "", "./schema.js", false);
  expect(written).toContain(
    '  baseUrl?: "https://eu.test/v1" | "https://us.test/v1" | "http://b.test" | (string & {}) | undefined;\n',
  );
  expect(written.replaceAll(/\s+\* /g, " ")).toContain(
    "Default: the environment variable `A_URL`, then `https://eu.test/v1`.",
  );
  expect(written).toContain(' server: "https://eu.test/v1",');
  expect(clientSource(strange)).not.toMatch(/ {2}baseUrl\?:| server: /);
});
