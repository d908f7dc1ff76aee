/** Whether to provoke all faults, as `pnpm exec vitest run --project faults` does, instead of some. */
export const whole: boolean = process.env["FAULTS"] !== undefined;
