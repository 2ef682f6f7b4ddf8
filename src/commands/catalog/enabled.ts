import { ProviderError, Refusal } from '../../core/view/errors.ts';

/**
 * Creating a server, and the lists that are for it, are closed until the provider's support opens them for the account
 * (seen on live accounts: 403 with the stock words of Django, which say nothing of the kind).
 */
export async function whenEnabled<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof ProviderError) || error.kind !== 'forbidden') throw error;
    const words = error.words === '' ? '' : `: ${error.words.replace(/\.$/, '')}`;
    throw new Refusal('impossible', `The provider does not let this account create servers yet (403${words}).`, {
      hint: 'It is off by default: ask the technical support of the provider to enable creating servers through the API.',
    });
  }
}
