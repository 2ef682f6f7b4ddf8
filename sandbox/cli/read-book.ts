import { z } from 'zod';
import { withStore } from '../../src/cli/with-store.ts';
import { valueKinds } from '../../src/store/records/value-kinds.ts';
import type { AccountCopy } from '../copy/copy.ts';
import { jobKinds } from '../provider/jobs.ts';

/** The parts of a copy that come from the bot's database. */
export type Book = Pick<AccountCopy, 'policies' | 'plans' | 'jobTimes'>;

export const emptyBook: Book = { policies: {}, plans: {}, jobTimes: {} };

const channel = z.string().regex(/^[CG][A-Z0-9]{1,30}$/, 'the id of a channel');

/** The contents of these parts in a file, which somebody may have edited. */
export const bookSchema = z.object({
  policies: z.record(channel, valueKinds.policy.shape.policy),
  plans: z.record(channel, valueKinds.plans),
});

export function readBook(databaseUrl: string): Promise<Book> {
  return withStore({ databaseUrl }, { mustExist: true }, async ({ values, durations }) => {
    const policies = [...(await values.all('policy'))].map(([channel, { policy }]) => [channel, policy] as const);
    const times = jobKinds.map(async (kind) => [kind, await durations.recent(kind)] as const);
    return {
      policies: Object.fromEntries(policies),
      plans: Object.fromEntries(await values.all('plans')),
      jobTimes: Object.fromEntries((await Promise.all(times)).map(([kind, ms]) => [kind, [...ms]])),
    };
  });
}
