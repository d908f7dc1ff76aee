/**
 * The part of a changeset that `pnpm contract change` writes is between two comments. Text outside of them is by a
 * person, and stays unchanged.
 */
const open = (service: string): string =>
  `<!-- contract of ${service}: \`pnpm contract change\` writes this part anew, up to the next mark; write your own words outside -->`;
const close = "<!-- end of the contract -->";
const block = (service: string): RegExp => new RegExp(`<!-- contract of ${service}: [^]*?(?:${close}|$)`);

export function hasBlock(text: string, service: string): boolean {
  return block(service).test(text);
}

/** Replaces a service's part, or appends it. */
export function putBlock(text: string, service: string, content: string): string {
  const part = `${open(service)}\n\n${content}\n\n${close}`;
  return hasBlock(text, service) ? text.replace(block(service), () => part) : [text, part].filter(Boolean).join("\n\n");
}

/** The text by a person. */
export function withoutBlock(text: string, service: string): string {
  return text
    .replace(block(service), "")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** A changeset's text as it appears in a changelog. */
export function withoutMarks(text: string): string {
  return text.replaceAll(/<!--[^]*?-->\n*/g, "").trim();
}
