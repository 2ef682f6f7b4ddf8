/**
 * The database cannot be used now, or not at all as configured. The message is one line for a person: what was
 * happening, what the database said, what to do. It never holds credentials.
 */
export class StoreUnavailable extends Error {
  override name = 'StoreUnavailable';

  constructor(text: string, more: { cause?: unknown } = {}) {
    super(text.replace(/\s+/g, ' ').trim(), more);
  }
}
