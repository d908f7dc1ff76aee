import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** The screens and color schemes of the pictures, side by side on one sheet, which keeps it small. */
const looks = [
  { width: 1440, height: 1000, colorScheme: "light", scale: 3 },
  { width: 1440, height: 1000, colorScheme: "dark", scale: 3 },
  { width: 390, height: 844, colorScheme: "light", scale: 2.5 },
  { width: 390, height: 844, colorScheme: "dark", scale: 2.5 },
] as const;

/**
 * The largest share of the drawn area that may differ, because some times are shown to the second. A missing part is about
 * a quarter of a page.
 */
export const tolerance = 0.1;

const ttf = join(createRequire(import.meta.url).resolve("dejavu-fonts-ttf/package.json"), "../ttf");
/** The families that the pages name first. Each weight between the two is drawn as the nearer one. */
const fonts = [
  { family: "Inter", weight: "1 550", file: "DejaVuSans" },
  { family: "Inter", weight: "551 1000", file: "DejaVuSans-Bold" },
  { family: "ui-monospace", weight: "1 550", file: "DejaVuSansMono" },
  { family: "ui-monospace", weight: "551 1000", file: "DejaVuSansMono-Bold" },
].map(({ file, ...font }) => ({ ...font, data: readFileSync(join(ttf, `${file}.ttf`), "base64") }));

/** Draws what a page opens from now on with the fonts of a package, because the machine's own change where lines break. */
export async function useFonts(page: Page): Promise<void> {
  // A face from bytes is allowed by each policy of a page; a style sheet with an address is not.
  await page.addInitScript((faces) => {
    for (const { family, weight, data } of faces) {
      const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
      document.fonts.add(new FontFace(family, bytes, { weight }));
    }
  }, fonts);
}

/**
 * Compares pages with the pictures of them in the repository.
 *
 * @param page used for all of them; its screen and color scheme are changed
 * @param options the folder of the sheets, and whether to take the pictures anew
 * @param show opens the view of that name in the page, and waits until it is drawn
 * @returns the views that differ too much, and by how much. A missing picture differs completely. If pictures are written, the result is empty
 */
export async function comparePictures(
  page: Page,
  { folder, isWriting }: { readonly folder: string; readonly isWriting: boolean },
  names: readonly string[],
  show: (name: string) => Promise<void>,
): Promise<string[]> {
  await useFonts(page);
  const canvas = await page.context().newPage();
  // A page behind another one draws about one frame a second.
  await page.bringToFront();
  const wrong: string[] = [];
  for (const name of names) {
    const shots: Sheet["shots"] = [];
    for (const { width, height, scale, colorScheme } of looks) {
      await page.setViewportSize({ width, height });
      await page.emulateMedia({ colorScheme });
      await show(name);
      const url = urlOf(await page.screenshot(), "png");
      shots.push({ url, width: Math.round(width / scale), height: Math.round(height / scale) });
    }
    const file = join(folder, `${name}.webp`);
    const kept = existsSync(file) ? urlOf(readFileSync(file), "webp") : undefined;
    const { sheet, share } = await canvas.evaluate(drawSheet, { shots, kept });
    if (share <= tolerance) continue;
    if (!isWriting) {
      wrong.push(`${name}: ${(share * 100).toFixed(1)} % differ`);
      continue;
    }
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, Buffer.from(sheet.replace(/^.*?,/, ""), "base64"));
  }
  await canvas.close();
  return wrong;
}

interface Sheet {
  readonly shots: { readonly url: string; readonly width: number; readonly height: number }[];
  readonly kept: string | undefined;
}

function urlOf(picture: Buffer, type: string): string {
  return `data:image/${type};base64,${picture.toString("base64")}`;
}

/** The share of a PNG picture that differs from the stored one. */
export async function shareThatDiffers(page: Page, picture: Buffer, kept: Buffer): Promise<number> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const canvas = await page.context().newPage();
  const shots = [{ url: urlOf(picture, "png"), width, height }];
  const { share } = await canvas.evaluate(drawSheet, { shots, kept: urlOf(kept, "png") });
  await canvas.close();
  return share;
}

/**
 * Runs in a page: draws the shots side by side, and compares squares of four pixels with the stored sheet. Returns the
 * share of differing squares among those on which something is drawn, because pages are mostly empty.
 */
async function drawSheet({ shots, kept }: Sheet): Promise<{ sheet: string; share: number }> {
  const load = async (url: string) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    return image;
  };
  const canvas = document.createElement("canvas");
  canvas.width = shots.reduce((sum, { width }) => sum + width, 0);
  canvas.height = Math.max(...shots.map(({ height }) => height));
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("The canvas has no context.");
  context.imageSmoothingQuality = "high";
  let left = 0;
  for (const { url, width, height } of shots) {
    context.drawImage(await load(url), left, 0, width, height);
    left += width;
  }
  const sheet = canvas.toDataURL("image/webp", 0.6);
  if (kept === undefined) return { sheet, share: 1 };
  /** The colors of squares of four pixels. */
  const squaresOf = async (url: string) => {
    const image = await load(url);
    const small = document.createElement("canvas");
    [small.width, small.height] = [Math.ceil(image.width / 4), Math.ceil(image.height / 4)];
    const drawing = small.getContext("2d");
    if (drawing === null) throw new Error("The canvas has no context.");
    drawing.imageSmoothingQuality = "high";
    drawing.drawImage(image, 0, 0, small.width, small.height);
    return drawing.getImageData(0, 0, small.width, small.height).data;
  };
  // Compare both after compression, so that its artifacts are the same.
  const [now, before] = await Promise.all([squaresOf(sheet), squaresOf(kept)]);
  if (now.length !== before.length) return { sheet, share: 1 };
  const differ = (one: Uint8ClampedArray, at: number, other: Uint8ClampedArray, otherAt: number) =>
    [0, 1, 2].some((channel) => Math.abs((one[at + channel] ?? 0) - (other[otherAt + channel] ?? 0)) > 16);
  let drawn = 0;
  let changed = 0;
  for (let at = 4; at < now.length; at += 4) {
    // A square equal to the one before it is background.
    if (differ(now, at, now, at - 4) || differ(before, at, before, at - 4)) drawn++;
    if (differ(now, at, before, at)) changed++;
  }
  return { sheet, share: changed / Math.max(1, drawn) };
}
