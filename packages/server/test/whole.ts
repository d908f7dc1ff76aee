/** Whether all faults are provoked, as `pnpm test faults` does; a run of the tests provokes some. */
export const whole: boolean = process.env["FAULTS"] !== undefined;
