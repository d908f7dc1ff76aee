/** The version of this package, from its package.json. */
export const version = "0.1.0";
