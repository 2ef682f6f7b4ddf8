import { expect, test } from 'vitest';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';

const minute = 60_000;

test.each(engines)(
  'on %s, a form whose button is pressed twice makes one request, and does not tell the person to wait for it',
  async (engine) => {
    const policy = usualPolicy(opsGroup);
    const bot = await startTestBot({
      engine,
      policy: { ...policy, rules: { ...policy.rules, disruptive: 'none' } },
      provider: { jobMs: minute },
    });
    const form = await bot.open('operator', { line: 'restart' });
    const press = () => bot.submit('operator', form, { servers: 'web-1' });
    expect(await Promise.all([press(), press()])).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
    await bot.until(() => bot.writes().length > 0, 'the restart');
    bot.sim.advance(minute);
    await bot.settle();

    const another = await bot.open('operator', { line: 'restart' });
    // One of the two reads until the other is under way.
    bot.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 1_000, times: 1 });
    const both = [1, 2].map(() => bot.submit('operator', another, { servers: 'web-1' }));
    expect(await Promise.all(both)).toEqual([{ kind: 'accepted' }, { kind: 'accepted' }]);
    expect(await bot.store.locks.list()).toHaveLength(1);
    bot.sim.advance(minute);
    await bot.settle();
    expect(bot.writes()).toHaveLength(2);
    expect(bot.posted.filter(({ onlyFor }) => onlyFor !== undefined)).toEqual([]);
    expect(bot.log.filter((line) => line.startsWith('error'))).toEqual([]);
  },
);
