export const tmpdir = (): string => "/page";
