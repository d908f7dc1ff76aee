/// <reference types="astro/client" />

interface ImportMetaEnv {
  /** The file of the reference pages (build/drawn.ts). */
  readonly REFERENCES: string;
  /** The file that says which samples can run in a page (page/build). */
  readonly SAMPLES: string;
}
