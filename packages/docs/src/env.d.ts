/// <reference types="astro/client" />

interface ImportMetaEnv {
  /** The file of the drawn references (build/drawn.ts). */
  readonly REFERENCES: string;
  /** The file that says of each sample whether it runs in a page (packages/page). */
  readonly SAMPLES: string;
}
