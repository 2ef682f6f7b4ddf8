import { expect, it } from 'vitest';
import { people } from '../../support/fake-slack.ts';
import { startTestBot } from '../../support/test-bot.ts';
import { readView } from '../../support/view-text.ts';

it('a guest reads that an admin can add them, with one button that asks an admin', async () => {
  const bot = await startTestBot({ replicas: 1 });
  for (const line of ['why list', 'list', 'help']) {
    const from = bot.posted.length;
    await bot.say('guest', line);
    await bot.until(() => bot.posted.length > from, 'the answer');
    const said = readView(bot.posted.at(-1)?.view ?? { summary: '', parts: [] }, bot.nameOf);
    expect(said).toContain('guests cannot use Hostler here unless an admin adds them by name.');
    expect(said).not.toContain('explains it');
    expect(said).toContain('[Ask for access]');
  }
  const home = readView(
    (await bot.replicas[0]?.engine.home(people.guest ?? '')) ?? { summary: '', parts: [] },
    bot.nameOf,
  );
  expect(home).toContain('Nothing in your channels is shared with you yet.');
  expect(home).toContain('[Ask for access… ▾');
});
