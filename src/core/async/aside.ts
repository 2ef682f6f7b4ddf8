interface WarnLog {
  readonly warn: (fields: object, message: string) => void;
}

/** Runs work without awaiting it: logs its error, which must not end the process. */
export function aside(work: Promise<unknown>, log: WarnLog, doing: string): void {
  work.catch((error: unknown) => log.warn({ err: error }, `${doing}: unawaited work failed`));
}
