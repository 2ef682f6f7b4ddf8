interface WarnLog {
  readonly warn: (fields: object, message: string) => void;
}

/** Work that nobody waits for: an error of it is logged, and ends nothing. */
export function aside(work: Promise<unknown>, log: WarnLog, doing: string): void {
  work.catch((error: unknown) => log.warn({ err: error }, `${doing}: an error that nobody waited for`));
}
