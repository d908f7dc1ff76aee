/** The reference of a document, for any frame: `pnpm dev` and the site both use it. */
export { html, Html } from "./html.ts";
export type { ReferencePage } from "./page.ts";
export { linksOf, pagesOf } from "./pages.ts";
export { serviceOf, type Service } from "./services.ts";
