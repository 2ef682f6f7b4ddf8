import { StoreUnavailable } from '../core/view/errors.ts';

/** DATABASE_URL "is not" so. It repeats nothing of the value, which may hold a password. */
export class BadAddress extends StoreUnavailable {
  override name = 'BadAddress';
  /** The end of the sentence, for whoever has begun it. */
  readonly wanted: string;

  constructor(wanted: string) {
    super(`DATABASE_URL is not ${wanted}`);
    this.wanted = wanted;
  }
}
