import { impossible, readOr } from '../../core/view/errors.ts';

/**
 * Explains a 403: creating servers and the lists for it are disabled until the provider's support enables them for the
 * account. Live accounts returned a 403 with Django's stock words, which do not say so.
 */
export function whenEnabled<T>(read: Promise<T>): Promise<T> {
  return readOr(read, 'forbidden', (error) => {
    const words = error.words === '' ? '' : `: ${error.words.replace(/\.$/, '')}`;
    const hint =
      'It is off by default: ask the technical support of the provider to enable creating servers through the API.';
    throw impossible(`The provider does not let this account create servers yet (403${words}).`, hint);
  });
}
