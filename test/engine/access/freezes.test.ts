import { expect, test } from 'vitest';
import { startTestBot, type TestBot } from '../../support/test-bot.ts';
import { readView } from '../../support/view-text.ts';

// While a target is frozen no action starts there; queries and running requests continue.

/** The messages from here on. */
async function answerTo(bot: TestBot, user: string, line: string): Promise<string> {
  const before = bot.posted.length;
  await bot.say(user, line);
  await bot.settle();
  return bot.posted
    .slice(before)
    .map(({ view }) => readView(view, (id) => id))
    .join('\n');
}

test('nothing starts in a frozen channel until the person who froze it, or an admin, ends the freeze', async () => {
  const bot = await startTestBot();
  await answerTo(bot, 'operator', 'freeze here "release under way" for=2h');
  expect(await answerTo(bot, 'lead', 'restart web-1')).toMatch(
    /^Not now: this channel is frozen until \S+ \S+ UTC: release under way\.\n\[Show what is frozen\]$/,
  );
  const [refused] = await bot.store.audit.list({ kind: 'refused', limit: 1 });
  expect(refused?.data).toMatchObject({
    text: 'restart web-1: Not now: this channel is frozen: release under way.',
  });
  expect(await answerTo(bot, 'lead', 'project create Shop')).toContain('Not now: this channel is frozen');
  expect(await answerTo(bot, 'lead', 'status web-1')).toContain('## web-1  [🟢 on]');
  expect(await answerTo(bot, 'lead', 'why restart web-1')).toContain('Frozen: this channel is frozen until');
  expect(await answerTo(bot, 'lead', 'unfreeze')).toContain(
    'Only the person who froze it, or an admin, can end this freeze.',
  );
  await bot.say('operator', 'unfreeze');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  expect(bot.story()).toContain('The freeze is over');
  expect(await answerTo(bot, 'lead', 'restart web-1')).toContain('## ⏳ Restart web-1');
});

test('the freeze of a tag applies to its servers only, and ends at its time', async () => {
  const bot = await startTestBot();
  await answerTo(bot, 'operator', 'freeze tag:web "migration" for=2h');
  expect(await answerTo(bot, 'lead', 'restart web-1')).toContain('Not now: tag:web is frozen');
  expect(await answerTo(bot, 'lead', 'restart db-1')).toContain('## ⏳ Restart db-1');
  await bot.pass(2 * 3_600_000 + 1_000);
  expect(await answerTo(bot, 'lead', 'restart web-1')).toContain('## ⏳ Restart web-1');
});

test.each([
  'release 2h',
  '"release" 2h',
  '"release" 2 hours',
  'release until=2h',
  'release until "2 hours"',
  'release for="in 2 hours"',
])('a time at the end of a freeze is its end: %s', async (words) => {
  const bot = await startTestBot({ replicas: 1 });
  await answerTo(bot, 'operator', `freeze here ${words}`);
  const [freeze, ...others] = await bot.store.freezes.active(bot.now());
  expect(others).toEqual([]);
  expect(freeze?.reason).toBe('release');
  expect(Math.round(((freeze?.until ?? 0) - bot.now()) / 60_000)).toBe(120);
});

test.each(['release until=15:30', 'release 15:30', 'release tomorrow 9am'])(
  'an hour at the end of a freeze is its end: %s',
  async (words) => {
    const bot = await startTestBot({ replicas: 1 });
    await answerTo(bot, 'operator', `freeze here ${words}`);
    const [freeze] = await bot.store.freezes.active(bot.now());
    expect(freeze?.reason).toBe('release');
    expect(new Date(freeze?.until ?? 0).getUTCMinutes()).toBe(words.endsWith('9am') ? 0 : 30);
  },
);

test('a freeze with a time and no reason asks for the reason', async () => {
  const bot = await startTestBot({ replicas: 1 });
  expect(await answerTo(bot, 'operator', 'freeze here 2h')).toContain('freeze also needs reason');
  expect(await bot.store.freezes.active(bot.now())).toEqual([]);
});

test('a word that may be a tag is named as one', async () => {
  const bot = await startTestBot({ replicas: 1 });
  expect(await answerTo(bot, 'operator', 'freeze prod deploy')).toContain('It should be here, all, or tag:prod.');
});

test.each([
  'tonight',
  'in 2 hours',
  'from 18:00 to 20:00',
  'every friday',
  'next week',
  'release at 18:00',
  'release in 2 hours',
  'from 20 december to 3 january holidays',
])('a freeze whose reason has a time does not begin: %s', async (words) => {
  const bot = await startTestBot({ replicas: 1 });
  const answer = await answerTo(bot, 'operator', `freeze here ${words}`);
  expect(answer).toMatch(/ is a time, and would become text\. This takes effect at once\. Give its end as for=2h/);
  expect(await bot.store.freezes.active(bot.now())).toEqual([]);
});

test('a time in quotes is a part of the reason of a freeze', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await answerTo(bot, 'operator', 'freeze here "release tomorrow 18:00"');
  expect((await bot.store.freezes.active(bot.now())).map(({ reason }) => reason)).toEqual(['release tomorrow 18:00']);
});

test('the end of a freeze is read behind its reason, and a time in the reason stays when there is an end', async () => {
  const bot = await startTestBot({ replicas: 1 });
  expect(await answerTo(bot, 'operator', 'freeze here because of the friday release for 2h')).toContain(
    'the friday release · until ',
  );
  expect(await answerTo(bot, 'lead', 'restart web-1')).toContain('Not now: this channel is frozen');
  await bot.pass(2 * 3_600_000 + 1_000);
  expect(await answerTo(bot, 'lead', 'restart web-1')).toContain('[Cancel]');
});

test('a freeze is ended by its tag, or by here', async () => {
  const bot = await startTestBot({ replicas: 1 });
  await answerTo(bot, 'operator', 'freeze tag:web "migration" for=2h');
  await answerTo(bot, 'operator', 'freeze here "release" for=2h');
  for (const scope of ['here', 'tag:WEB']) {
    expect(await answerTo(bot, 'operator', `unfreeze ${scope}`)).toContain('End the freeze');
    await bot.press('operator', 'Confirm');
    await bot.settle();
  }
  expect(await bot.store.freezes.active(bot.now())).toEqual([]);
});

test('only an admin can freeze everything', async () => {
  const bot = await startTestBot();
  expect(await answerTo(bot, 'operator', 'freeze all "audit"')).toContain('Only an admin can freeze everything.');
  await bot.say('admin', 'access grant everyone "operate"');
  await bot.press('admin', 'Confirm');
  await bot.settle();
  await answerTo(bot, 'admin', 'freeze all "audit of the year"');
  expect(await answerTo(bot, 'operator', 'stop db-1')).toContain('Not now: everything is frozen');
});

test('a request does not run when its channel was frozen between the card and the click, and its end says why', async () => {
  const bot = await startTestBot();
  await bot.say('lead', 'restart web-1');
  await answerTo(bot, 'operator', 'freeze here "release under way"');
  await bot.press('lead', 'Confirm');
  await bot.settle();
  expect(bot.story()).toMatch(
    /@lead Restart web-1: not run: this channel is frozen: release under way\. Nothing was done\./,
  );
  expect(bot.writes()).toEqual([]);
  expect(await bot.store.locks.list()).toEqual([]);
});
