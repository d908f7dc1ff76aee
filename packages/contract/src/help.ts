/** What `--help` prints, by command. */
export const help: Readonly<Record<string, string>> = {
  check: `contract check [revision] [--format text|markdown|github] [--uses FILE]...

Compares the documents with those where this branch left a revision: each change with its place; breaking, warning, additive or
neutral; whom it concerns (on the wire, in their source, as a reader) and why; and the info.version that the changes on the
wire since the last release ask for.

  revision    a branch, a tag or a commit; the main branch when left out
  --format    text for a terminal (default), markdown for a comment, github for annotations of a pull request
  --uses      what a program uses, as trainyard-uses wrote it: then its files and lines are named. Can be repeated

Ends with 0 where every version is right, with 1 where one is not, or where something no longer compiles that the rules call
harmless, with 2 where nothing could be compared.`,

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

  new: `contract new operation <service> <method> --verb <verb> --path <path>
    [--body Schema] [--answer Schema] [--page] [--resend always|with-key|never]
    [--summary TEXT] [--description TEXT] [--tag TAG]
contract new schema <service|common> <Name> [--property name:type]... [--description TEXT]
contract new service <name> [--title TEXT] [--description TEXT] [--method METHOD --verb <verb> --path <path>]

Writes the small files, with examples and extensions. What is needed and not given is asked for.

  --body      the schema of what is sent; made where there is none
  --answer    the schema of what is answered, named after the method's group when left out; made where there is none
  --page      answers with pages of that schema
  --resend    whether clients may send it again; never for post and patch when left out, else always
  --property  note?:string may be left out, tags:string[] is a list, end:date-time|null may be null, owner:Model refers
  --basis     where the facts come from: proposed (default), adopted, interface

  contract new operation training models.rename --verb post --path "/v1/preview/models/{model_id}/rename" --body Rename
  contract new schema auxiliary Note --property text:string --property "end?:date-time|null"
  contract new service billing`,
};
