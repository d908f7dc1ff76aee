import { describe, expect, it } from "vitest";
import { parseDocument } from "yaml";
import { checkForm } from "./forms.ts";
import { checkOwners } from "./owners.ts";
import { checkUpdates } from "./updates.ts";

const form = `name: Fault
description: Something is wrong.
labels: [fault]
body:
  - type: markdown
    attributes:
      value: Thank you.
  - type: dropdown
    id: package
    attributes:
      label: Package
      options: [core, mock]
    validations:
      required: true
  - type: checkboxes
    attributes:
      label: Before it is sent
      options:
        - label: It holds no key.
          required: true
`;

describe("an issue form", () => {
  /** The form with one member set, or taken away. */
  function but(path: readonly (string | number)[], value?: unknown): string {
    const document = parseDocument(form);
    if (value === undefined) document.deleteIn(path);
    else document.setIn(path, value);
    return document.toString();
  }

  it("is valid", () => {
    expect([...checkForm("form.yml", form)]).toEqual([]);
  });

  it.each<[string, readonly (string | number)[], unknown, string]>([
    ["no name", ["name"], undefined, "form.yml needs a name."],
    ["an empty description", ["description"], " ", "form.yml needs a description."],
    ["an unknown member", ["lables"], ["a"], "form.yml: lables means nothing here."],
    ["no body", ["body"], undefined, "form.yml needs a body, a list of fields."],
    [
      "an unknown kind",
      ["body", 1, "type"],
      "select",
      "form.yml, field 2: type must be one of checkboxes, dropdown, input, markdown, textarea.",
    ],
    ["no kind", ["body", 1, "type"], undefined, "form.yml, field 2: type must be one of"],
    ["no label", ["body", 1, "attributes", "label"], undefined, "form.yml, field 2 needs a label."],
    ["no attributes", ["body", 1, "attributes"], undefined, "form.yml, field 2 needs attributes."],
    [
      "an attribute of another kind",
      ["body", 1, "attributes", "render"],
      "text",
      "form.yml, field 2: render means nothing here.",
    ],
    ["no text", ["body", 0, "attributes", "value"], undefined, "form.yml, field 1 needs a value."],
    ["no options", ["body", 1, "attributes", "options"], [], "form.yml, field 2 needs options."],
    [
      "the same option twice",
      ["body", 1, "attributes", "options"],
      ["a", "a"],
      "form.yml, field 2: two options are the same.",
    ],
    [
      "options of another kind",
      ["body", 1, "attributes", "options"],
      [{ label: "a" }],
      "form.yml, field 2: options of checkboxes are objects",
    ],
    [
      "an empty option",
      ["body", 2, "attributes", "options"],
      [{ required: true }],
      "form.yml, field 3: each option needs a text.",
    ],
    ["an id with a space", ["body", 1, "id"], "the package", "form.yml, field 2: id takes letters"],
    ["an id twice", ["body", 2, "id"], "package", 'form.yml: two fields have the id "package".'],
    ["a label twice", ["body", 2, "attributes", "label"], "Package", 'form.yml: two fields have the label "Package".'],
    [
      "a member of a field that means nothing",
      ["body", 1, "required"],
      true,
      "form.yml, field 2: required means nothing here.",
    ],
  ])("has %s", (_, path, value, fault) => {
    const faults = [...checkForm("form.yml", but(path, value))];
    expect(faults).toHaveLength(1);
    expect(faults[0]).toContain(fault);
  });

  it("has at least one field", () => {
    const text = "name: a\ndescription: b\nbody: [{ type: markdown, attributes: { value: c } }]";
    expect([...checkForm("form.yml", text)]).toEqual(["form.yml asks for nothing."]);
    expect([...checkForm("form.yml", "- a")]).toEqual(["form.yml is no form."]);
  });
});

describe("a file of code owners", () => {
  const owners = (text: string): string[] => [
    ...checkOwners("CODEOWNERS", text, (pattern) => pattern === "openapi/**" || pattern === "a.yaml"),
  ];

  it("lists existing paths, with or without owners", () => {
    expect(owners("# all\n/openapi/ @harbor/contract @someone # two\n\n/a.yaml\n")).toEqual([]);
  });

  it.each([
    ["/openapis/ @a", "CODEOWNERS:1: no file fits /openapis/."],
    ["\nopenapi/ @a", "CODEOWNERS:2: openapi/ fits at any depth. Begin it with a slash."],
    ["/openapi/ someone@example.com", "CODEOWNERS:1: someone@example.com is no owner."],
    ["/openapi/ team", "CODEOWNERS:1: team is no owner."],
  ])("%j", (text, fault) => {
    expect(owners(text)).toEqual([expect.stringContaining(fault)]);
  });
});

describe("the settings of dependency updates", () => {
  const good = {
    extends: ["helpers:pinGitHubActionDigestsToSemver"],
    minimumReleaseAge: "7 days",
    internalChecksFilter: "strict",
    packageRules: [
      { matchUpdateTypes: ["patch"], groupName: "patch" },
      { matchCurrentValue: "/^\\d/", dependencyDashboardApproval: true },
    ],
  };
  const faults = (settings: unknown): string[] => [...checkUpdates("renovate.json", JSON.stringify(settings), 1440)];

  it("are valid", () => {
    expect(faults(good)).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    [
      "ask for what is too young to be installed",
      { ...good, minimumReleaseAge: "1 day" },
      "more than the 1440 minutes",
    ],
    ["know no age", { ...good, minimumReleaseAge: undefined }, "more than the 1440 minutes"],
    ["propose before the age", { ...good, internalChecksFilter: "flexible" }, "internalChecksFilter"],
    [
      "raise what is exact",
      { ...good, packageRules: good.packageRules.slice(0, 1) },
      "exact version would rise in silence",
    ],
    ["group nothing", { ...good, packageRules: good.packageRules.slice(1) }, "pull request of its own"],
    ["unpin actions", { ...good, extends: ["config:recommended"] }, "actions lose their commits"],
    ["are a list", [], "holds no settings"],
  ])("%s", (_, settings, fault) => {
    expect(faults(settings)).toEqual([expect.stringContaining(fault)]);
  });
});
