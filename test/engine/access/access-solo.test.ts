import { expect, it } from 'vitest';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { answerTo, confirm, pressAndSettle } from '../told.ts';

it('access solo without an option says whether solo is on and changes nothing; its button, --on and --off change it', async () => {
  const bot = await startTestBot({ policy: { ...usualPolicy(opsGroup), solo: true } });
  const isOn = (word: string, said: string) => `Solo is ${word} in this channel${said} /host access solo`;
  expect(await answerTo(bot, 'admin', 'access solo')).toContain(isOn('on', ': people may approve their own requests.'));
  await bot.press('admin', 'Turn solo off…');
  await pressAndSettle(bot, 'admin', 'Confirm');
  const off = ': nobody may approve their own requests.';
  expect(await answerTo(bot, 'admin', 'access solo')).toContain(isOn('off', off));
  expect(await answerTo(bot, 'admin', 'access solo --off')).toContain(isOn('off', ` already${off}`));
  await confirm(bot, 'admin', 'access solo --on');
  expect(bot.story()).toMatch(
    /## ✅ Turn solo off {2}[\s\S]*## ✅ Turn solo on .*\nOne person may approve their own request\./,
  );
  expect(await answerTo(bot, 'operator', 'access solo')).toContain('only an admin (HOSTLER_ADMINS) may do this.');
});
