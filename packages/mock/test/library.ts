const ref = (path: string): { $ref: string } => ({ $ref: `#/components/${path}` });
const json = (schema: object, examples: Record<string, unknown> = {}): object => ({
  "application/json": {
    schema,
    examples: Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }])),
  },
});
const problem = (description: string, examples: Record<string, unknown>, headers: object = {}): object => ({
  description,
  headers,
  content: json(ref("schemas/Problem"), examples),
});
const book = { id: "0b7e4a52-91c6-4d38-8f15-2a6d9c3e7b41", title: "Emma", pages: 474 };

/** A service outside of this project: other errors, other security schemes, a response without an example. */
export const library = {
  openapi: "3.1.0",
  "x-trainyard": 1,
  jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
  info: { title: "Library", version: "1.0.0" },
  servers: [{ url: "http://{host}/library/", variables: { host: { default: "127.0.0.1:4010" } } }],
  security: [{ key: [] }],
  paths: {
    "/books": {
      post: {
        operationId: "add_book",
        "x-client-method": "books.add",
        parameters: [ref("parameters/Trace")],
        requestBody: ref("requestBodies/Book"),
        responses: { "200": ref("responses/Book"), "400": ref("responses/Bad"), "401": ref("responses/NoKey") },
      },
      get: {
        operationId: "list_books",
        "x-client-method": "books.list",
        security: [{ key: [] }, {}],
        parameters: [
          { name: "limit", in: "query", schema: { type: "integer", minimum: 1 } },
          { name: "ratio", in: "query", schema: { type: "number" } },
          { name: "lent", in: "query", schema: { type: "boolean" } },
          { name: "tag", in: "query", schema: { type: "array", maxItems: 2, items: { type: "string" } } },
        ],
        responses: { "200": { description: "All.", content: json({ type: "array" }, { some: [book], none: [] }) } },
      },
    },
    "/books/": {
      post: {
        operationId: "add_book_again",
        "x-alias-of": "add_book",
        requestBody: ref("requestBodies/Book"),
        responses: { "200": ref("responses/Book") },
      },
    },
    "/books/new": {
      get: {
        operationId: "newest",
        responses: { "200": { description: "The newest.", content: json(ref("schemas/Book")) } },
      },
    },
    "/books/{id}": {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } }],
      get: {
        operationId: "get_book",
        "x-client-method": "books.get",
        security: [{ basic: [] }, { query: [] }],
        responses: {
          "200": ref("responses/Book"),
          "404": problem("Gone.", { gone: { error: { title: "No such book.", shelf: 3 } } }),
          "503": problem(
            "Closed.",
            { closed: { error: { title: "The library is closed." } } },
            { "Retry-After": { schema: { type: "integer" }, example: 7 } },
          ),
        },
      },
    },
    "/books/{id}/read": {
      post: {
        operationId: "read_book",
        "x-client-method": "books.read",
        "x-stream": { toggle: "aloud", end: "[END]" },
        security: [],
        requestBody: { content: json({ type: "object", properties: { aloud: { type: "boolean" } } }) },
        responses: {
          "200": {
            description: "The words.",
            content: {
              ...json({ type: "object" }, { whole: { words: "Emma Woodhouse" } }),
              "text/event-stream": {
                schema: { type: "string" },
                examples: { aloud: { value: "data: Emma\n\ndata: Woodhouse\n\ndata: [END]\n\n" } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    parameters: { Trace: { name: "X-Trace", in: "header", schema: { type: "string", minLength: 2 } } },
    requestBodies: { Book: { required: true, content: json(ref("schemas/NewBook")) } },
    responses: {
      Book: {
        description: "A book.",
        content: json(ref("schemas/Book"), { emma: book, long: { ...book, pages: 900 } }),
      },
      Bad: problem("Bad.", { bad: { error: { title: "Bad.", code: "bad", param: null } } }),
      NoKey: problem(
        "No key.",
        { missing: { error: { title: "Bring a card." } }, wrong: { error: { title: "That card is not yours." } } },
        { "WWW-Authenticate": { schema: { type: "string" }, example: "Card" } },
      ),
    },
    schemas: {
      NewBook: {
        type: "object",
        required: ["title"],
        properties: { title: { type: "string", minLength: 1 }, pages: { type: ["integer", "null"] } },
      },
      Book: {
        allOf: [ref("schemas/NewBook")],
        required: ["id"],
        properties: { id: { type: "string", format: "uuid" } },
      },
      Problem: { type: "object", properties: { error: { type: "object" } } },
    },
    securitySchemes: {
      key: { type: "http", scheme: "Bearer" },
      basic: { type: "http", scheme: "basic" },
      query: { type: "apiKey", in: "query", name: "card" },
    },
  },
};

/** The id of the book in the library. */
export const bookId: string = book.id;
