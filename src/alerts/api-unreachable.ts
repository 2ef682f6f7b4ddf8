import { accountTarget } from '../core/account/account.ts';
import type { Finding } from '../core/alert/alert.ts';
import { minute, sayDuration, wordSet } from '../core/text/words.ts';
import { ProviderError } from '../core/view/errors.ts';
import { aboutApi, defineAlert, gravityOf, orError, readBalance } from './define-alert.ts';

const silent = wordSet('unavailable throttled shape');

export const apiUnreachable = defineAlert({
  name: 'api-unreachable',
  title: 'The provider does not answer',
  many: (n) => `${n} providers do not answer`,
  isAboutAccount: true,
  everyMs: minute,
  fires: 'no readable response has arrived within the threshold',
  clears: 'it answers',
  thresholds: { unit: 'minutes', usual: [5, 60], isFalling: false, min: 1, max: 1_440, most: 3 },
  read: async (context) => {
    const balance = await orError(readBalance(context));
    const isSilent = balance instanceof ProviderError && silent.has(balance.kind);
    const seen = [{ key: 'api', value: isSilent ? 'silent' : 'answers', target: accountTarget }];
    const [drift] = await context.drift('api', seen, { firstUsual: 'answers' });
    // The start of the outage; null while the provider answers.
    return { since: drift?.since ?? null };
  },
  find: ({ since }, at, now) => {
    if (since === null) return [];
    const level = gravityOf(at, (minutes) => now - since >= minutes * minute)?.level;
    return level === undefined ? [] : [findingOf(since, level, at[level] ?? 5)];
  },
  calm: (_, { since }) => (since === null ? 'The provider answers again' : undefined),
  sample: (now) => findingOf(now - 5 * minute, 0, 5),
});

function findingOf(since: number, level: number, minutes: number): Finding {
  return {
    ...aboutApi,
    cause: 'api',
    title: `The provider has not answered for ${sayDuration(minutes * minute)}`,
    lines: [
      ['no answer since ', { date: since, style: 'full' }, '; nothing is sent, and what is shown may be old'],
      'Servers may still run. Only the provider’s API is known to be down.',
    ],
    level,
  };
}
