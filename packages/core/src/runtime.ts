// What only servers need: browsers follow redirects themselves, and tell no causes. `#runtime` in package.json chooses.
export { malformed } from "./errors/malformed.ts";
export { follow } from "./redirect.ts";
