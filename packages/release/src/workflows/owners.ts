/** The faults of a code owners file, one sentence each. */
export function* checkOwners(file: string, text: string, fits: (pattern: string) => boolean): Generator<string> {
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [pattern, ...owners] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (pattern === undefined || pattern === "") continue;
    const location = `${file}:${index + 1}`;
    if (!pattern.startsWith("/")) yield `${location}: ${pattern} fits at any depth. Begin it with a slash.`;
    else if (!fits(`${pattern.slice(1)}${pattern.endsWith("/") ? "**" : ""}`))
      yield `${location}: no file fits ${pattern}.`;
    for (const owner of owners)
      if (!/^@[\w-]+(\/[\w.-]+)?$/.test(owner))
        yield `${location}: ${owner} is no owner. Write @person or @organization/team; an address of mail names a person to everybody.`;
  }
}
