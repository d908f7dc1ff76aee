/** The name of the base model. */
export const baseModelName = "demo/tiny";
