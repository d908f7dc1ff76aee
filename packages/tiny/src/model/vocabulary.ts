/** The token that ends a message. All others are bytes of UTF-8. */
export const end = 256;

/** How many tokens there are: 256 bytes and the end. */
export const vocabularySize = 257;

/** The bytes that mark the speaker. None of them occurs in UTF-8, so no text can imitate one. */
export const marks = { system: 0xf8, user: 0xf9, assistant: 0xfa, tool: 0xfb } as const;

/** The speakers that the model distinguishes. */
export type Speaker = keyof typeof marks;
