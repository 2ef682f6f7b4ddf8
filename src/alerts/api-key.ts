import { minute } from '../core/text/words.ts';
import { ProviderError } from '../core/view/errors.ts';
import { aboutApi, defineAlert, orError, readBalance } from './define-alert.ts';

export const apiKey = defineAlert<boolean>({
  name: 'api-key',
  title: 'The provider refuses the API key',
  many: (n) => `${n} API keys are refused`,
  isAboutAccount: true,
  everyMs: minute,
  fires: 'the provider refuses the key',
  clears: 'the provider accepts the key again',
  read: async (context) => {
    const balance = await orError(readBalance(context));
    if (!(balance instanceof ProviderError)) return false;
    // A missing response proves nothing about the key.
    return balance.kind === 'auth' ? true : undefined;
  },
  find: (isRefused) => (isRefused ? [finding] : []),
  calm: () => 'The provider accepts the API key again',
  sample: () => finding,
});

const finding = {
  ...aboutApi,
  cause: 'key',
  title: 'The provider refuses the API key',
  lines: ['Nothing can be read or done until an admin has checked HOST_API_KEY.'],
} as const;
