import { expect, test } from 'vitest';
import { sayAndSettle } from '../engine/told.ts';
import { people } from '../support/bot/fake-slack.ts';
import { granting } from '../support/bot/policy.ts';
import { startTestBot } from '../support/bot/test-bot.ts';

// In a grant `*` stands for anything, so no name or tag that a grant can name gets one from the bot.

const policy = granting({ [`user:${people.operator}`]: 'read organize dns spend' }, { routine: 'none' });

test('a name or a tag with the sign is refused', async () => {
  const bot = await startTestBot({ policy });
  const lines = [
    ...['rename web-1 *', 'tag add web-1 web*', 'tag set web-1 *', 'dns tag add example.com *'],
    ...['dns tag set example.com pro*', 'project create *', 'project edit Website name=*'],
    'create plan=101 template="Debian 12" name=* location=de',
  ];
  for (const line of lines) {
    const before = bot.transcript().length;
    await sayAndSettle(bot, 'operator', line);
    expect(bot.transcript().slice(before), line).toContain('without *, which stands for anything in a grant');
  }
  expect(bot.writes()).toEqual([]);
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('a tag with the sign that was made elsewhere can be removed, and no button offers to write it again', async () => {
  const bot = await startTestBot({ policy });
  bot.sim.order({ order: '34-12345', tags: ['web', 'all*'] });
  await sayAndSettle(bot, 'operator', 'tag web-1 all* how=remove');
  expect(bot.writes()).toEqual(['PATCH /orders/34-12345/']);
  expect(bot.story()).not.toContain('[Undo]');
});
