import { StoreUnavailable } from '../core/view/errors.ts';

/** DATABASE_URL is malformed. The message repeats nothing of the value, which may hold a password. */
export class BadAddress extends StoreUnavailable {
  override name = 'BadAddress';
  /** Completes the sentence "DATABASE_URL is not …". */
  readonly wanted: string;

  constructor(wanted: string) {
    super(`DATABASE_URL is not ${wanted}`);
    this.wanted = wanted;
  }
}
