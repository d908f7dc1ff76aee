/** A JSON pointer, longer by these keys. */
export function join(pointer: string, ...keys: (string | number)[]): string {
  return keys.reduce<string>((whole, key) => `${whole}/${escape(String(key))}`, pointer);
}

export function tokens(pointer: string): string[] {
  return pointer.split("/").slice(1).map(unescape);
}

/** Most keys have neither character, and a comparison makes a hundred thousand pointers. */
function escape(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

function unescape(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}
