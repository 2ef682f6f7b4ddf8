import { expect, it } from 'vitest';
import { opsGroup } from '../../support/fake-slack.ts';
import { usualPolicy } from '../../support/policy.ts';
import { startTestBot } from '../../support/test-bot.ts';
import { confirm, pressAndSettle } from '../told.ts';

it('access solo without an option says whether solo is on and changes nothing; its button, --on and --off change it', async () => {
  const bot = await startTestBot({ policy: { ...usualPolicy(opsGroup), solo: true } });
  await bot.say('admin', 'access solo');
  await bot.press('admin', 'Turn solo off…');
  await pressAndSettle(bot, 'admin', 'Confirm');
  await bot.say('admin', 'access solo');
  await bot.say('admin', 'access solo --off');
  await confirm(bot, 'admin', 'access solo --on');
  await bot.say('operator', 'access solo');
  expect(bot.story()).toMatchInlineSnapshot(`
    "(only @admin) Solo is on in this channel: people may approve their own requests. /host access solo off changes that.
    [Turn solo off…]
    ## ✅ Turn solo off  [done in ‹time›]
    Nobody may approve their own request.
    ✓ Solo is set.
    · Asked and confirmed by @admin
    [More ▾ [Details]]
        Solo is set.
    (only @admin) Solo is off in this channel: nobody may approve their own requests. /host access solo on changes that.
    [Turn solo on…]
    (only @admin) Solo is off in this channel already: nobody may approve their own requests. /host access solo on changes that.
    [Turn solo on…]
    ## ✅ Turn solo on  [done in ‹time›]
    One person may approve their own request.
    ✓ Solo is set.
    · Asked and confirmed by @admin
    [More ▾ [Details]]
        Solo is set.
    (only @operator) You may not use /host access solo here: only an admin (HOSTLER_ADMINS) may do this. /host why access solo explains it.
    [Show who may do what]"
  `);
});

it.each(['on access solo', 'why on access solo'])(
  '%s offers the form of access solo and runs nothing',
  async (line) => {
    const bot = await startTestBot({});
    await bot.say('admin', line);
    expect(bot.story()).toBe(
      '(only @admin) on access is not a command. Did you mean /host access solo?\n[access solo…]',
    );
    expect(bot.posted.at(-1)?.view.parts).toContainEqual({
      kind: 'buttons',
      buttons: [{ label: 'access solo…', intent: { do: 'form', line: 'access solo' }, opens: true }],
    });
  },
);
