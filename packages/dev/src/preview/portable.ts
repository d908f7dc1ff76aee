/**
 * A page that can be opened from a folder without a server: its addresses become the way from its file to the file that is meant. A
 * link to a page that the folder does not have becomes plain text.
 *
 * @param address where the page stands, from the root of the site
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
