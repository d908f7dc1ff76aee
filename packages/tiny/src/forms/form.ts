/**
 * The required form of an answer, as a state: which bytes may come next, and whether the answer may end here. Forms are
 * immutable; each byte results in another form.
 */
export interface Form {
  /** Whether the answer may end here. */
  readonly mayEnd: boolean;
  /** Marks the bytes that may come next. */
  allow(mask: Uint8Array): void;
  /** The form after a byte; undefined if the byte is not allowed. */
  next(byte: number): Form | undefined;
}

const encoder = new TextEncoder();

/** The empty answer. */
export const empty: Form = { mayEnd: true, allow: () => undefined, next: () => undefined };

/** Any text, including the empty one. */
export const anything: Form = { mayEnd: true, allow: (mask) => void mask.fill(1, 0, 256), next: () => anything };

/** Exactly this text. */
export function literal(text: string): Form {
  const bytes = encoder.encode(text);
  const from = (at: number): Form =>
    at === bytes.length
      ? empty
      : {
          mayEnd: false,
          allow: (mask) => void (mask[bytes[at] ?? 0] = 1),
          next: (byte) => (byte === bytes[at] ? from(at + 1) : undefined),
        };
  return from(0);
}

/** One of several forms. */
export function either(forms: readonly Form[]): Form {
  if (forms.length === 1 && forms[0] !== undefined) return forms[0];
  return {
    mayEnd: forms.some(({ mayEnd }) => mayEnd),
    allow: (mask) => {
      for (const form of forms) form.allow(mask);
    },
    next: (byte) => {
      const rest = forms.map((form) => form.next(byte)).filter((form) => form !== undefined);
      return rest.length === 0 ? undefined : either(rest);
    },
  };
}

/** One form after the other. */
export function sequence(...forms: readonly Form[]): Form {
  const [first, ...others] = forms;
  if (first === undefined) return empty;
  return others.length === 0 ? first : follow(first, sequence(...others));
}

function follow(first: Form, second: Form): Form {
  return {
    mayEnd: first.mayEnd && second.mayEnd,
    allow: (mask) => {
      first.allow(mask);
      if (first.mayEnd) second.allow(mask);
    },
    next: (byte) => {
      const rest = first.next(byte);
      const after = first.mayEnd ? second.next(byte) : undefined;
      const found = [...(rest ? [rest === empty ? second : follow(rest, second)] : []), ...(after ? [after] : [])];
      return found.length === 0 ? undefined : either(found);
    },
  };
}

/** A form that is created when it is first used, for schemas that contain themselves. */
export function lazy(make: () => Form): Form {
  let made: Form | undefined;
  const form = (): Form => (made ??= make());
  return {
    get mayEnd() {
      return form().mayEnd;
    },
    allow: (mask) => form().allow(mask),
    next: (byte) => form().next(byte),
  };
}

/** Bytes of a set. */
export function oneOf(bytes: ReadonlySet<number>): Form {
  return {
    mayEnd: false,
    allow: (mask) => {
      for (const byte of bytes) mask[byte] = 1;
    },
    next: (byte) => (bytes.has(byte) ? empty : undefined),
  };
}

/** A form repeated from `least` to `most` times. */
export function repeat(form: Form, least: number, most: number): Form {
  if (most === 0) return empty;
  const once = follow(
    form,
    lazy(() => repeat(form, Math.max(0, least - 1), most - 1)),
  );
  return least > 0 ? once : either([empty, once]);
}
