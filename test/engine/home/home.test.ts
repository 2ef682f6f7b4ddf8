import { expect, it } from 'vitest';
import { minute } from '../../../src/core/text/words.ts';
import { opsGroup, people } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { buttonsIn } from '../../support/bot/view-text.ts';
import { answerTo, confirm, formIn, sayAndPress, sayAndSettle, wordsOf } from '../told.ts';
import { openHomes } from './open-homes.ts';

const inTime = (isSo: () => boolean) => expect.poll(isSo, { interval: 20 }).toBe(true);

it('Home begins with the requests that wait for the person, and lists the servers in trouble first, with their actions', async () => {
  const { bot, open } = await openHomes();
  await sayAndSettle(bot, 'operator', 'hard-reset web-1');
  const text = await open('lead');
  expect(text).toMatch(
    /^## Hostler\n· € 84\.20 · covers \d+ days\n## Needs you \(1\)\nHard reset web-1 · @operator in #ops · [^·\n]+\n\[Review…\]\n/,
  );
  expect(text).toContain('[Review…]');
  expect(text).not.toContain('[Approve]');
  const servers = text.slice(text.indexOf('## Servers'));
  expect(servers).toMatch(
    /^## Servers {2}\[10 of 12 on\]\n\[Find a server, domain, order or request ⌕\]\n\[In trouble, or a favorite ▾ .*\]\n🔴 (staging-1|wiki-1) · /,
  );
  expect(servers).toMatch(
    /🔴 staging-1 · 203\.0\.113\.140 · off · 6 days paid\n\[Actions ▾ \[Status\] \[Stats\] \[Start…\] \[☆ Favorite\]\]/,
  );
  expect(servers).toMatch(/🟡 cache-1 .*\n\[Actions ▾ \[Status\] \[Stats\] \[Restart…\] \[Stop…\] \[☆ Favorite\]\]/);
  expect(servers).toContain('7 others are on.\n[Open one ▾ [db-1] [db-2] [monitor-1] [vpn-1] [web-1] [web-2] [web-3]]');
  expect(servers).not.toContain('🟢');
});

it('Home shows only what the person may read, and offers only what they may do', async () => {
  const policy = usualPolicy(opsGroup);
  const grants = [{ to: [`user:${people.reader}` as const], can: ['read' as const], on: ['order:34-12318'] }];
  const { open } = await openHomes({ policy: { ...policy, grants } });
  const text = await open('reader');
  expect(text).toContain('🔴 wiki-1');
  expect(text).not.toMatch(/web-1|€|Start…/);
  expect(await open('lead')).not.toMatch(/wiki-1|web-1|€/);
});

it('Review shows the facts of the card to people who may read them, and approvers decide there', async () => {
  const { bot, open, review, text } = await openHomes();
  await sayAndSettle(bot, 'operator', 'hard-reset web-1');
  await open('lead');
  const form = formIn(await review('lead'));
  const shown = wordsOf(bot, { summary: '', parts: form.about ?? [] });
  for (const fact of [
    '34-12345',
    'Anything not yet saved to disk is lost',
    'Paid until: ',
    'Dangerous: one approval from @ops or an admin',
    'Open the request in #ops',
  ])
    expect(shown).toContain(fact);
  expect(form.about?.flatMap(buttonsIn).map(({ label }) => label)).toEqual(['Decline…']);
  const [row] = await bot.store.operations.list({ limit: 1 });
  const opened = async (user: string) => {
    const intent = { do: 'review', operation: row?.id ?? '' } as const;
    const answer = await bot.open(user, { intent }, { channel: '', kind: 'home' });
    return 'parts' in answer ? wordsOf(bot, answer) : 'a form';
  };
  const facts = await opened('reader');
  expect(facts).toContain('Hard reset web-1');
  expect(facts).not.toMatch(/\[(Approve|Decline|Confirm)/);
  expect(await opened('guest')).toBe('You may not see this request.\n[Show the requests]');
  expect(await bot.submit('lead', form, {})).toEqual({ kind: 'accepted' });
  await bot.until(() => !text('lead').includes('Needs you'), 'Home without the request');
  await bot.settle();
  expect(bot.writes()).toEqual(['POST /vps/34-12345/hard_reset/']);
  expect(await bot.submit('lead', form, {})).toMatchObject({ kind: 'errors' });
});

it('Review asks for the name of the target where the rule needs it, and confirms the person’s own request', async () => {
  const { bot, open, review } = await openHomes();
  await bot.say('operator', 'cancel wiki-1 now');
  await sayAndSettle(bot, 'operator', 'restart web-2');
  await open('lead');
  const typed = formIn(await review('lead'));
  expect(typed.fields.map(({ label }) => label)).toEqual(['Type wiki-1 to approve']);
  expect(await bot.submit('lead', typed, { words: 'web-1' })).toMatchObject({ kind: 'errors' });
  await open('operator');
  const own = formIn(await review('operator'));
  const labels = [own.submit, own.about?.flatMap(buttonsIn).map(({ label }) => label)];
  expect(labels).toEqual(['Restart web-2', ['Withdraw…']]);
  expect(await bot.submit('operator', own, {})).toEqual({ kind: 'accepted' });
  await bot.until(() => bot.writes().includes('POST /vps/34-12399/restart/'));
});

it('Home is up to date within two seconds after every vote, end and alert, in any process', async () => {
  const { bot, open, text } = await openHomes();
  await open('lead');
  await open('operator');
  await bot.say('operator', 'hard-reset web-1');
  await inTime(() => text('lead').includes('Needs you (1)'));
  await inTime(() => text('operator').includes('Hard reset web-1 · ⏳ needs 1 approval from @ops'));
  await bot.press('lead', 'Approve');
  await inTime(() => !text('lead').includes('Needs you'));
  await bot.settle();
  await inTime(() => text('operator').includes('Hard reset web-1 · ✅ done'));
  await confirm(bot, 'operator', 'stop web-2');
  await inTime(() => /🔴 web-2 · 192\.0\.2\.11 · off/.test(text('operator')));
  await confirm(bot, 'operator', 'alerts on expiring');
  await bot.replicas[0]?.sweepAlerts();
  await inTime(() => /Open alerts \(\d+\)\n🟡|Open alerts \(\d+\)\n🔴/.test(text('lead')));
});

it('Home is not updated for a person who opened it more than 15 minutes ago, until they open it again', async () => {
  const { bot, open, text } = await openHomes();
  await open('lead');
  await open('operator');
  bot.skip(16 * minute);
  await open('operator');
  await bot.say('operator', 'hard-reset web-1');
  await inTime(() => text('operator').includes('Hard reset web-1'));
  expect(text('lead')).not.toContain('Needs you');
});

it('Home shows the servers of the chosen filter, page by page, and keeps the choice when something changes', async () => {
  const { bot, open, text, filter } = await openHomes();
  await open('operator');
  expect(text('operator')).toContain('[Tag web]');
  await filter('operator', 'trouble');
  await bot.until(() => text('operator').includes('[In trouble ▾'), 'the servers in trouble');
  expect(text('operator')).not.toContain('🟢');
  expect(text('operator')).toContain('🔴 staging-1');
  await filter('operator', 'tag:web');
  await bot.until(() => text('operator').includes('[Tag web ▾'), 'the servers with the tag');
  expect(text('operator')).not.toContain('staging-1');
  await bot.say('operator', 'hard-reset web-1');
  await inTime(() => text('operator').includes('Hard reset web-1'));
  expect(text('operator')).toContain('[Tag web ▾');
  await filter('operator', 'tag:gone');
  await bot.until(() => text('operator').includes('[All servers ▾'), 'all servers again');
});

it('Home has pages when there are more than fifteen servers', async () => {
  const { open, text, filter } = await openHomes({ provider: { seed: { orders: 60 } } });
  expect(await open('operator')).toContain('[Page 2 of ');
  await filter('operator', 'all', 2);
  await inTime(() => text('operator').includes('[◀ Page 1]'));
});

it('Home reads the balance once a minute for all people, and again when a request has ended', async () => {
  const { bot, open, text } = await openHomes();
  const reads = () => bot.sim.requests().filter(({ path }) => path.includes('/balance')).length;
  await open('operator');
  await open('lead');
  await open('operator');
  expect(reads()).toBe(1);
  await confirm(bot, 'operator', 'restart web-1');
  await inTime(() => text('operator').includes('✅ done'));
  await open('operator');
  expect(reads()).toBeGreaterThan(1);
  bot.skip(61_000);
  const before = reads();
  await open('operator');
  expect(reads()).toBe(before + 1);
});

it('Home offers an admin the dialog of a grant for a channel, and nobody else', async () => {
  const { bot, open, review } = await openHomes();
  expect(await open('operator')).not.toContain('Give access in a channel');
  expect(await open('admin')).toContain('[Give access in a channel… ▾ [#ops]]');
  const form = formIn(await review('admin', '#ops'));
  expect(form.title).toBe('Give access');
  const sent = await bot.submit('admin', form, { to: [`@${people.reader}`], can: ['operate'], on: ['all'] });
  expect(sent.kind).not.toBe('errors');
});

it('Home shows a restart that runs as running, and what does not work stands before what is soon to be paid', async () => {
  const { bot, open } = await openHomes();
  bot.sim.power({ order: '34-12346', state: 'off' });
  bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
  await sayAndPress(bot, 'operator', 'restart web-1');
  await bot.until(async () => (await bot.store.steps.jobsSince(bot.now())).length === 1, 'the job to be known');
  bot.sim.power({ order: '34-12345', state: 'off' });
  const text = await open('operator');
  const servers = text.slice(text.indexOf('## Servers'));
  expect(servers).toMatch(/⏳ web-1 · 192\.0\.2\.10 · restart is running\n/);
  const signs = [...servers.matchAll(/^(🔴|🟡|⏳|🟢|⚪) (\S+) · /gmu)].map(([, sign]) => sign);
  const order = ['🔴', '🟡', '⏳', '🟢'];
  const ranks = signs.filter((sign) => sign !== '⏳').map((sign) => order.indexOf(sign ?? ''));
  expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  expect(signs).toContain('🔴');
  // Of the servers that are off, the one whose paid time ends first, not the one with the most problems.
  const days = [...servers.matchAll(/^🟡 \S+ · .* · (\d+) days? paid/gmu)].map(([, n]) => Number(n));
  expect(days).toEqual(days.toSorted((a, b) => a - b));
});

it('Show on Home opens the list of all orders, with those that are no servers', async () => {
  const { bot, open, text } = await openHomes();
  await open('operator');
  expect(text('operator')).toMatch(/\d+ other orders: dedicated servers, storage and the like\.\n\[Show\]/);
  const view = await bot.open('operator', { intent: { do: 'open', line: 'orders' } }, { channel: '', kind: 'home' });
  if (!('parts' in view)) throw new Error('no list');
  expect(wordsOf(bot, view)).toContain('files-1');
});

const namesIn = (text: string, row: RegExp) => [...text.matchAll(row)].map(([, name = '']) => name);
const rowOfList = /^([a-z]+-\d) │/gm;
const rowOfHome = /^(?:🟢|🔴|🟡|⚪) ([a-z]+-\d) · /gmu;
const redOnHome = /^🔴 ([a-z]+-\d) · /gmu;

it('Home, the list, the summary, the orders and the menu agree about the same servers', async () => {
  const { bot, filter, open, text } = await openHomes();
  bot.sim.order({ order: '34-12345', status: 'blocked' });
  bot.sim.order({ order: '34-12360', cancel_mark: true });
  bot.sim.power({ order: '34-12399', state: 'off' });
  bot.sim.power({ order: '34-12380', state: 'unknown' });
  await bot.store.values.write('power', { '34-12422': { usual: 'off', seen: 'off' } }, bot.now());
  await expect.poll(() => open('operator'), { timeout: 10_000 }).not.toContain('not read');
  await filter('operator', 'all');
  await bot.until(() => text('operator').includes('[All servers ▾'), 'all servers');
  const home = text('operator');
  const order = namesIn(home, rowOfHome);
  expect(order).toEqual([
    ...['web-1', 'web-2', 'wiki-1', 'vpn-1', 'cache-1', 'staging-1', 'ci-1', 'mail-1'],
    ...['db-1', 'db-2', 'monitor-1', 'web-3'],
  ]);
  expect(namesIn(home, redOnHome)).toEqual(['web-1', 'web-2', 'wiki-1']);
  const list = await answerTo(bot, 'operator', 'list');
  expect(namesIn(list, rowOfList)).toEqual(order);
  expect(namesIn(list, /^([a-z]+-\d) │ 🔴/gmu)).toEqual(['web-1', 'web-2', 'wiki-1']);
  expect(list).toContain('staging-1 │ ⚪ off │');
  const summary = await answerTo(bot, 'operator', 'status');
  expect(namesIn(summary, /^([a-z]+-\d): /gm)).toEqual(order.slice(0, 8));
  for (const [, name = '', , words = ''] of home.matchAll(/^(?:🔴|🟡|⚪) ([a-z]+-\d) · (\S+) · (?:on · )?(.+)$/gmu))
    expect(summary.split('\n')).toContain(`${name}: ${words.replaceAll(' · ', ', ').replace(/^off, (?=6 days)/, '')}`);

  const orders = await answerTo(bot, 'operator', 'orders type:vps');
  expect(orders.indexOf('web-1 ')).toBeLessThan(orders.indexOf('mail-1 '));
  expect(orders).toMatch(/^web-1 · server │ 🔴 blocked │/m);
  bot.sim.power({ order: '34-12380', state: 'on' });
  bot.skip(20_000);
  await expect.poll(() => open('operator'), { timeout: 10_000 }).not.toContain('not read');
  await bot.say('operator', '');
  expect(wordsOf(bot, bot.posted.at(-1)?.view)).toMatch(/^#ops · 🔴 web-1, web-2 and wiki-1 are off · /);
});
