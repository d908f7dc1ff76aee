/** Whether to provoke all faults, as `pnpm test faults` does, instead of some. */
export const whole: boolean = process.env["FAULTS"] !== undefined;
