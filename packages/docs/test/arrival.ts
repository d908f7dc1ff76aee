import type { BrowserContextOptions } from "@trainyard/testing/browser";
import type { Site } from "./browser.ts";

/** The start and the width of a part of a page, in pixels. */
type Box = readonly [tag: string, x: number, y: number, width: number];

/**
 * The parts of a page that move while the rest of its HTML arrives. A browser draws what it has, so a reader on a slow
 * connection would see them move. The HTML is cut before each eighth of its blocks.
 */
export async function movedParts(site: Site, path: string): Promise<string[]> {
  const html = await (await fetch(`${site.home}${path}`)).text();
  const options: BrowserContextOptions = { viewport: { width: 1440, height: 1000 }, javaScriptEnabled: false };
  const page = await site.newPage(options);
  let sent = html;
  await page.route(`${site.home}${path}`, (route) => route.fulfill({ body: sent, contentType: "text/html" }));
  const boxesOf = async (part: string): Promise<Box[]> => {
    sent = part;
    await page.goto(`${site.home}${path}`, { waitUntil: "load" });
    return page.evaluate(readBoxes);
  };
  const whole = await boxesOf(html);
  const main = html.indexOf("<main");
  const blocks = [...html.matchAll(/<(?:section|div|h2|ul|p|pre)[ >]/g)].filter(({ index }) => index > main);
  const moved: string[] = [];
  for (let eighth = 1; eighth < 8; eighth++) {
    const cut = blocks[Math.floor((blocks.length * eighth) / 8)]?.index ?? html.length;
    const parts = await boxesOf(html.slice(0, cut));
    const other = parts.find((box, at) => String(box) !== String(whole[at]));
    if (other !== undefined) moved.push(`${path}, ${eighth}/8: ${other.join(" ")}`);
  }
  await page.context().close();
  return moved;
}

/** Runs in the page. */
function readBoxes(): Box[] {
  return [...document.querySelectorAll("main :is(h1, h2, h3, p, ul, pre, section, .said, .shown)")]
    .filter((element) => element.checkVisibility())
    .map((element) => {
      const { x, y, width } = element.getBoundingClientRect();
      return [element.localName, Math.round(x), Math.round(y), Math.round(width)];
    });
}
