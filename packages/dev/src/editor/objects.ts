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
const examples = mapOf(orReference("example"), "Named bodies. The first is the simplest case: mocks return it.");
const schema: JsonSchema = { ...use("schema"), description: "The schema of the value." };
const example: JsonSchema = { description: "A realistic value." };

const security: JsonSchema = {
  type: "array",
  description: "Alternative schemes, of which one is enough. `{}` among them means that no key is required.",
  items: mapOf({ type: "array", items: name }, "Schemes that are required together, each with its scopes."),
};

const operation = object(
  {
    summary: text("The title of the operation."),
    description: text("What it does, in a short paragraph, in the present tense and with units."),
    operationId: text("The id for tools, unique within the service."),
    tags: { type: "array", minItems: 1, items: name, description: "The group, as openapi.yaml lists it." },
    deprecated: { type: "boolean", description: "Whether clients should stop calling it." },
    ...extensionsOn("Operation"),
    security,
    parameters: {
      type: "array",
      items: orReference("parameter"),
      description: "The parameters in the path, the query and the headers.",
    },
    requestBody: { ...use("requestBody"), description: "The request body." },
    responses: mapOf(orReference("response"), "All possible responses, by status.", "^[1-5][0-9][0-9]$"),
  },
  ["summary", "description", "operationId", "tags", "x-basis", "x-resend", "responses"],
);

const parameter = object(
  {
    name: text("The name as it is sent."),
    in: { enum: ["path", "query", "header", "cookie"], description: "Where it is sent." },
    description: text("What it means, its unit, and what happens if it is omitted."),
    required: { type: "boolean", description: "Whether it must be sent. Always true in a path." },
    deprecated: { type: "boolean", description: "Whether clients should stop sending it." },
    style: { enum: ["simple", "form", "label", "matrix", "spaceDelimited", "pipeDelimited", "deepObject"] },
    explode: { type: "boolean", description: "Whether each item of a list is sent as a parameter of its own." },
    schema,
    example,
    examples,
    ...extensionsOn("Parameter"),
  },
  ["name", "in", "description", "schema"],
);

const header = object(
  {
    description: text("What it means, and its unit."),
    required: { type: "boolean", description: "Whether it is always sent." },
    deprecated: { type: "boolean", description: "Whether clients should stop reading it." },
    schema,
    example,
    examples,
    ...extensionsOn("Header"),
  },
  ["description", "schema"],
);

const requestBody = object(
  {
    description: text("What the body contains, in a sentence."),
    required: { type: "boolean", description: "Whether it must be sent." },
    content,
    ...extensionsOn("RequestBody"),
  },
  ["content"],
);

const response = object(
  {
    description: text("When this response is returned, and what it contains."),
    headers,
    content,
    ...extensionsOn("Response"),
  },
  ["description"],
);

const mediaType = object({ schema, example, examples, ...extensionsOn("MediaType") }, ["schema"]);

const exampleObject = object(
  {
    summary: text("What is special about this case."),
    description: text("Details."),
    value: {
      description: "The body. A stream is written as `data: {…}` and a blank line for each event, up to the end mark.",
    },
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
    flows: { type: "object", description: "How to get a token, with the type `oauth2`." },
    openIdConnectUrl: text("The URL of the provider's metadata, with the type `openIdConnect`."),
    description: text("Which key it is, and where people get it."),
    ...extensionsOn("SecurityScheme"),
  },
  ["type", "description"],
);

const server = object(
  {
    url: text("The address, with `{variables}`."),
    description: text("What runs at this address."),
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
    termsOfService: text("The URL of the terms."),
    ...extensionsOn("Info"),
  },
  ["title", "version"],
);

const pathItem = object({
  parameters: { type: "array", items: use("reference"), description: "The parameters of all methods of the path." },
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
    servers: {
      type: "array",
      minItems: 1,
      items: use("server"),
      description: "The addresses of the service. The first one is this machine.",
    },
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
      description: "Only what cannot be referenced as a file. Every file becomes a component with the file's name.",
    },
  },
  ["openapi", "jsonSchemaDialect", "info", "servers", "tags", "paths"],
);

/** The objects of OpenAPI 3.1 that the documents use, by the name of their definition. */
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
