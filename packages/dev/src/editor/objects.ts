import { httpMethods, type JsonSchema } from "@trainyard/document";
import {
  extensionsOn,
  mapOf,
  name,
  object,
  orReference,
  schemaObject,
  subschema,
  target,
  text,
  use,
} from "./schema-object.ts";

const content = mapOf(use("mediaType"), "The body by its media type; `application/json` first.", "^[a-z]+/[a-z.+-]+$");
const headers = mapOf(orReference("header"), "The headers by name.");
const examples = mapOf(orReference("example"), "Named bodies. The first is the plainest case: mocks answer with it.");
const schema: JsonSchema = { ...use("schema"), description: "What the value is." };
const example: JsonSchema = { description: "A value such as a person would meet." };

const security: JsonSchema = {
  type: "array",
  description: "The schemes, any of which will do. `{}` among them says that none is needed.",
  items: mapOf({ type: "array", items: name }, "Schemes that are needed together, each with its scopes."),
};

const operation = object(
  {
    summary: text("The name that is given to the operation."),
    description: text("What it does, in a short paragraph, in the present tense and with units."),
    operationId: text("The name that tools know it by, unique in the service."),
    tags: { type: "array", minItems: 1, items: name, description: "The group, as openapi.yaml lists it." },
    deprecated: { type: "boolean", description: "Whether it should no longer be called." },
    ...extensionsOn("Operation"),
    security,
    parameters: {
      type: "array",
      items: orReference("parameter"),
      description: "What stands in the path, the query and the headers.",
    },
    requestBody: { ...use("requestBody"), description: "What is sent." },
    responses: mapOf(orReference("response"), "Every answer that can come, by its status.", "^[1-5][0-9][0-9]$"),
  },
  ["summary", "description", "operationId", "tags", "x-basis", "x-resend", "responses"],
);

const parameter = object(
  {
    name: text("The name as it is sent."),
    in: { enum: ["path", "query", "header", "cookie"], description: "Where it is sent." },
    description: text("What it means and in which unit, and what holds where it is left out."),
    required: { type: "boolean", description: "Whether it must be sent. Always true in a path." },
    deprecated: { type: "boolean", description: "Whether it should no longer be sent." },
    style: { enum: ["simple", "form", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject"] },
    explode: { type: "boolean", description: "Whether each item of a list is sent by itself." },
    schema,
    example,
    examples,
    ...extensionsOn("Parameter"),
  },
  ["name", "in", "description", "schema"],
);

const header = object(
  {
    description: text("What it says, and in which unit."),
    required: { type: "boolean", description: "Whether it is always sent." },
    deprecated: { type: "boolean", description: "Whether it should no longer be read." },
    schema,
    example,
    examples,
    ...extensionsOn("Header"),
  },
  ["description", "schema"],
);

const requestBody = object(
  {
    description: text("What is sent, in a sentence."),
    required: { type: "boolean", description: "Whether it must be sent." },
    content,
    ...extensionsOn("RequestBody"),
  },
  ["content"],
);

const response = object(
  {
    description: text("When this answer comes, and what it says."),
    headers,
    content,
    ...extensionsOn("Response"),
  },
  ["description"],
);

const mediaType = object({ schema, example, examples, ...extensionsOn("MediaType") }, ["schema"]);

const exampleObject = object(
  {
    summary: text("What sets the case apart."),
    description: text("What there is to know about it."),
    value: { description: "The body. Of a stream: `data: {…}` and a blank line, to the end mark." },
  },
  ["summary", "value"],
);

const securityScheme = object(
  {
    type: {
      enum: ["http", "apiKey", "oauth2", "openIdConnect"],
      description: "How the key is sent. The tokens of OAuth2 and OpenID Connect are sent as bearer tokens.",
    },
    scheme: { enum: ["bearer", "basic"], description: "The scheme of `Authorization`, with the type `http`." },
    bearerFormat: text("What the token looks like."),
    in: { enum: ["header", "query"], description: "Where the key is sent, with the type `apiKey`." },
    name: text("The header or query parameter of the key, with the type `apiKey`."),
    flows: { type: "object", description: "How a token is had, with the type `oauth2`." },
    openIdConnectUrl: text("Where the provider describes itself, with the type `openIdConnect`."),
    description: text("Which key it is, and where people get it."),
    ...extensionsOn("SecurityScheme"),
  },
  ["type", "description"],
);

const server = object(
  {
    url: text("The address, with `{variables}`."),
    description: text("What answers there."),
    variables: mapOf(
      object({ default: name, enum: { type: "array", items: name }, description: text("What it is.") }, ["default"]),
      "The variables of the address, by name.",
    ),
    ...extensionsOn("Server"),
  },
  ["url", "description"],
);

const info = object(
  {
    title: text("The name of the service."),
    summary: text("What it is, in a few words."),
    description: text("What it is for, in a short paragraph."),
    version: {
      type: "string",
      pattern: "^[0-9]+\\.[0-9]+\\.[0-9]+$",
      description: "The contract's version: `pnpm contract check` says which one a change asks for.",
    },
    license: object({ name: text("Its name."), identifier: text("Its SPDX identifier."), url: text("Its text.") }, [
      "name",
    ]),
    contact: object({ name: text("Who."), url: text("Where."), email: text("At which address.") }),
    termsOfService: text("Where they are."),
    ...extensionsOn("Info"),
  },
  ["title", "version"],
);

const pathItem = object({
  parameters: { type: "array", items: use("reference"), description: "Those of all its methods." },
  ...Object.fromEntries(httpMethods.map((method) => [method, use("reference")])),
});

const document = object(
  {
    openapi: { const: "3.1.0", description: "The version of OpenAPI." },
    jsonSchemaDialect: {
      const: "https://json-schema.org/draft/2020-12/schema",
      description: "The dialect of every schema.",
    },
    info: { ...use("info"), description: "What the service is." },
    servers: { type: "array", minItems: 1, items: use("server"), description: "Where it answers: first this machine." },
    security,
    tags: {
      type: "array",
      description: "The groups of operations, by name.",
      items: object({ name: text("The name."), description: text("What they are about."), ...extensionsOn("Tag") }, [
        "name",
        "description",
      ]),
    },
    paths: mapOf(use("pathItem"), "The paths, with a file for each method.", "^/"),
    components: {
      ...object({
        securitySchemes: mapOf(orReference("securityScheme"), "The schemes that operations name in `security`."),
      }),
      description: "What cannot be referred to by file. All else becomes a component by its file's name.",
    },
  },
  ["openapi", "jsonSchemaDialect", "info", "servers", "tags", "paths"],
);

/** The objects of OpenAPI 3.1, as far as the documents use them, by the name of their definition. */
export const objects: Readonly<Record<string, JsonSchema>> = {
  reference: object({ $ref: target }, ["$ref"]),
  schema: schemaObject,
  subschema,
  operation,
  parameter,
  header,
  requestBody,
  response,
  mediaType,
  example: exampleObject,
  securityScheme,
  server,
  info,
  pathItem,
  document,
};
