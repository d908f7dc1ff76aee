/** The output of `--help`, by command. */
export const help: Readonly<Record<string, string>> = {
  check: `contract check [revision] [--format text|markdown|github] [--uses FILE]...

Compares the documents with those where this branch left a revision: each change with its location; breaking, warning, additive or
neutral; whom it concerns (on the wire, in their source, as a reader) and why; and the info.version that the changes on the
wire since the last release ask for.

  revision    a branch, a tag or a commit; the main branch when left out
  --format    text for a terminal (default), markdown for a comment, github for annotations of a pull request
  --uses      what a program uses, as trainyard-uses wrote it: then its files and lines are named. Can be repeated

Ends with 0 where every version is right, with 1 where one is not, something leaves too early, an acceptance in a changeset fits no
change, or something no longer compiles that the rules call harmless, with 2 where nothing could be compared.`,

  basis: `contract basis [--format text|markdown|json]

Lists where each fact of the contract comes from, with counts: interface, adopted or proposed. To confirm a proposed fact,
edit its x-basis.

  --format    text for a terminal (default), markdown, json`,

  export: `contract export [service]... --out FOLDER [--openapi 3.1|3.2] [--format json|yaml] [--overlay FILE]...

Writes the bundle of each service, or of those that are named, as one file: FOLDER/<service>.openapi.json.

  --out       the folder, which is made where there is none
  --openapi   3.1 (default), or 3.2: there the events of a stream stand under itemSchema
  --format    json (default), yaml
  --overlay   puts an OpenAPI Overlay over the documents first. Can be repeated`,
};
