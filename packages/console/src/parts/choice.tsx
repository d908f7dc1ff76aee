/** @jsxImportSource preact */

export interface ChoiceProps {
  readonly label: string;
  readonly value: string | undefined;
  /** The values and their labels, in order. */
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly choose: (value: string) => void;
}

/** One of a few values, with a label. */
export function Choice({ label, value, options, choose }: ChoiceProps) {
  return (
    <label>
      {label}{" "}
      <select value={value ?? ""} onChange={(event) => choose(event.currentTarget.value)}>
        {options.map(([name, text]) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Options whose values are their labels, after one that stands for all of them. */
export function anyOf(names: readonly string[]): readonly (readonly [string, string])[] {
  return [["", "all"], ...names.map((name) => [name, name] as const)];
}
