/**
 * Makes a page that can be opened from a folder without a server: its addresses become relative paths between files. A
 * link to a page that is not in the folder becomes plain text.
 *
 * @param address the address of the page, from the root of the site
 * @param pages the addresses of all pages of the folder
 */
export function portable(text: string, address: string, pages: ReadonlySet<string>): string {
  const root = "../".repeat(address.split("/").length - 2) || "./";
  return text
    .replaceAll(/<link rel="stylesheet" href="\//g, `<link rel="stylesheet" href="${root}`)
    .replaceAll(/(<a\b[^>]*?) href="\/([^"#]*)(#[^"]*)?"/g, (_, tag: string, target: string, hash: string = "") =>
      pages.has(`/${target}`) ? `${tag} href="${root}${target}index.html${hash}"` : tag,
    );
}
