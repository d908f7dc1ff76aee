/// <reference types="astro/client" />

interface ImportMetaEnv {
  /** The file of the drawn references (build/drawn.ts). */
  readonly REFERENCES: string;
}
