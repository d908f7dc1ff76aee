import type { Adapter } from "../adapter.ts";
import { kyAdapter } from "./ky.ts";
import { openai } from "./openai.ts";
import { openapiFetch } from "./openapi-fetch.ts";
import { trainyard } from "./trainyard.ts";

/** The clients of the table, ours first. */
export const adapters: readonly Adapter[] = [trainyard, openai, kyAdapter, openapiFetch];
