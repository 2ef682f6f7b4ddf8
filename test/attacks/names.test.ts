import { expect, test } from 'vitest';
import type { ProviderSnapshot } from '../../sandbox/provider/model.ts';
import { startProvider } from '../../sandbox/provider/server.ts';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { lineOf, parse } from '../../src/core/grammar/parse.ts';
import { policySchema } from '../../src/core/policy/policy.ts';
import { sayHolder } from '../../src/engine/operation/acquire-locks.ts';
import { makeHookAlone, openHooks } from '../alerts/support.ts';
import { sayAndPress } from '../engine/told.ts';
import { ops, opsGroup, people } from '../support/bot/fake-slack.ts';
import { formOf, startTestBot, type TestBot } from '../support/bot/test-bot.ts';
import { isChosen, sample } from '../support/suite/seed.ts';

// Only people who may read a name see it. Every name of this account is a unique word, so all texts that a person sees
// can be searched for names that they may not read.

/** Ids of requests are letters and digits as well, so only whole words count. */
const name = /(?<![a-z\d])zq[a-z]+\d+x(?![a-z\d])/g;
const commands = await loadCommands();
/** The one order of the person with a narrow grant. */
const granted = '34-12345';

/** The seed's account with names that are found wherever they appear. */
async function uniqueAccount(): Promise<ProviderSnapshot> {
  const provider = await startProvider();
  const { now: _, faults: __, settings: ___, ...state } = provider.sim.state();
  await provider.close();
  const tags = new Map<string, string>();
  const tagOf = (tag: string) => {
    const known = tags.get(tag) ?? `zqtag${tags.size}x`;
    tags.set(tag, known);
    return known;
  };
  state.orders.forEach((order, index) => {
    order.name = `zqorder${index}x`;
    order.hostname = order.hostname === null ? null : `zqhost${index}x.example`;
    order.tags = order.id === granted ? ['zqowntag0x'] : order.tags.map(tagOf);
  });
  state.projects.forEach((project, index) => {
    project.name = `zqproject${index}x`;
    project.comment = `zqcomment${index}x`;
  });
  state.domains.forEach((domain, index) => {
    domain.name = `zqdomain${index}x.com`;
    domain.tags = domain.tags.map(tagOf);
    domain.entries.forEach((entry, at) => {
      entry.host = entry.host === '' || entry.host === '@' ? entry.host : `zqrecord${index * 1000 + at}x`;
      if (entry.type === 'TXT') entry.value = `zqvalue${index * 1000 + at}x`;
    });
  });
  state.snapshots.forEach((snapshot, index) => {
    snapshot.name = `zqsnapshot${index}x`;
  });
  state.sshKeys.forEach((key, index) => {
    key.title = `zqkey${index}x`;
  });
  state.tickets.forEach((ticket, index) => {
    Object.assign(ticket, { subject: `zqticket${index}x`, message: `zqmessage${index}x` });
    for (const answer of ticket.answers) answer.text = `zqanswer${index}x`;
  });
  return state;
}

const state = await uniqueAccount();
const elsewhere = 'C0SECRET';

/** The names that belong to the granted order, also its project and its installed keys. */
function namesOf(id: string): Set<string> {
  const order = state.orders.find((one) => one.id === id);
  const project = state.projects.find((one) => one.id === order?.projectId);
  const keys = state.sshKeys.filter((key) => order?.vps?.sshKeys.includes(key.id));
  return new Set(JSON.stringify([order, project?.name, keys.map(({ title }) => title)]).match(name) ?? []);
}

const can = ['read', 'billing', 'operate', 'dns', 'organize', 'destroy', 'secrets', 'spend'];

async function startBot(): Promise<TestBot> {
  const own = { to: [`user:${people.lead}`], can, on: [`order:${granted}`] };
  const grants = [{ to: [`group:${opsGroup}`], can }, own];
  const bot = await startTestBot({
    provider: { state, jobMs: 3_600_000 },
    config: { requestsPerMinute: 1_000_000 },
    policy: policySchema.parse({ grants }),
  });
  bot.groups.get(opsGroup)?.delete(people.lead ?? '');
  bot.roster.set('U0STRANGER', { name: 'stranger', membership: 'stranger' });
  const posture = { isPrivate: true, isShared: false, isArchived: false, hasBot: true };
  bot.channels.set(elsewhere, { id: elsewhere, name: 'zqchannel0x', ...posture });
  await bot.savePolicy(elsewhere, policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }] }));
  // Only admins may read the hooks of a channel.
  const hook = { id: 'zqhookid0x', kind: 'json', name: 'zqhook0x', channel: ops, tokenHash: 'x' } as const;
  await bot.store.hooks.add({ ...hook, createdBy: people.admin ?? '' });
  // The other channel has none of these people.
  Object.assign(bot.directory, { isInChannel: async (channel: string) => channel === ops });
  // One request waits, one runs, one target is frozen, and the audit has all of this.
  await sayAndPress(bot, 'operator', 'restart 34-12346');
  await bot.until(() => bot.writes().length > 0);
  await bot.say('operator', 'stop 34-12360');
  await bot.say('operator', 'status 34-12380');
  await bot.say('operator', 'freeze tag:zqtag0x "zqreason0x"');
  await bot.until(() => bot.story().includes('Frozen: zqreason0x'));
  return bot;
}

/** Words that people type to find out names: ids, numbers, addresses, tags, beginnings and near misses. */
const guesses: Readonly<Record<string, readonly string[]>> = {
  servers: ['34-12346', '12347', '34-12345', 'zqorder', 'tag:zqtag0x', 'zqhost1x.exampl'],
  dedicated: ['77-1', '36-1001', 'zqorde'],
  orders: ['34-12346', '12348', '375-13', 'zqorder1', 'tag:zqtag1x'],
  domains: ['zqdomain', 'zqdomain0x.com', 'www.zqdomain1x.com', 'zqdomain2x.co'],
  projects: ['1', '2', 'zqproject', 'zqproject0'],
  'projects-or-none': ['1', 'zqproject1'],
  snapshots: ['1', 'zqsnap', 'zqsnapshot0'],
  'ssh-keys': ['1', 'zqkey', 'zqkey0'],
  tickets: ['1', 'zqticket'],
};
const addresses = state.orders.flatMap((order) => order.addresses ?? []);

/** Every command with each guess in the place of a name, and in the words of its examples. */
const lines = commands.flatMap((command) =>
  command.examples.flatMap((example) => {
    const parsed = parse(example, commands);
    if (parsed.kind !== 'command') return [example];
    const named = Object.entries(command.args).filter(([, arg]) => guesses[arg.source ?? ''] !== undefined);
    return named.flatMap(([arg, { source }]) =>
      [...(guesses[source ?? ''] ?? []), ...(source === 'servers' ? addresses.slice(0, 3) : [])].map((guess) =>
        lineOf(command, { ...parsed.raw, [arg]: [guess] }),
      ),
    );
  }),
);
const all = [
  ...new Set([
    // First, before they show what this person has typed.
    'audit',
    'audit last=80',
    ...lines,
    ...commands.map(({ path }) => path),
    ...commands.flatMap(({ examples }) => examples),
    '',
    'catalog snapshots',
    'reinstall 34-12345 snapshot=zqsnap',
    'reinstall 34-12345 snapshot=1',
    'requests all',
    'create zqorder1x',
    'rename 34-12345 zqorder2x',
    'project edit 1 name=zqproject1x',
  ]),
];

const sources = [...new Set(commands.flatMap(({ args }) => Object.values(args).flatMap(({ source }) => source ?? [])))];

function unknownNames(shown: string, typed: string, known: ReadonlySet<string>): string[] {
  const words = new Set([...known, ...(typed.match(name) ?? [])]);
  // A typed name is no leak, also in quotes or within other words.
  return [...new Set(shown.match(name) ?? [])].filter((word) => !words.has(word));
}

const dm = { channel: 'D0PERSON', kind: 'dm' } as const;
/** The places where a line is typed, with and without the question whether it is allowed. */
const ways = [
  { isWhy: false, to: {} },
  { isWhy: false, to: { place: dm } },
  { isWhy: true, to: {} },
  { isWhy: true, to: { place: dm } },
];

const narrow: readonly [string, string, ReadonlySet<string>] = [
  'a person with a narrow grant',
  'lead',
  namesOf(granted),
];
/** The bot refuses these people alike, so a quick run takes one of them. */
const withoutRights: readonly (typeof narrow)[] = [
  ['a person without rights', 'reader', new Set()],
  ['a guest', 'guest', new Set()],
  ['a person of another organization', 'U0STRANGER', new Set()],
];
/** The whole product takes a minute. A quick run takes a part of it by the seed: every command, way and source occurs. */
const readers = [narrow, ...sample(withoutRights)];

test.each(readers)('%s learns no name by command, question, form, search, shortcut, Home', async (_, person, known) => {
  const bot = await startBot();
  const leaked: string[] = [];
  const check = (what: string, shown: unknown, typed: string) => {
    const names = unknownNames(JSON.stringify(shown) ?? '', typed, known);
    if (names.length > 0) leaked.push(`${what}: ${names.join(', ')} in ${JSON.stringify(shown).slice(0, 1500)}`);
  };
  for (const [at, line] of all.entries()) {
    for (const [n, { isWhy, to }] of ways.entries()) {
      if (!isChosen(at, ways.length) || !isChosen(n + Math.floor(at / ways.length), ways.length)) continue;
      const typed = isWhy ? `why ${line}` : line;
      const before = bot.posted.length;
      const logged = bot.log.length;
      await bot.say(person, typed, to);
      // The audit has earlier lines of this person.
      const own = line.startsWith('audit') ? all.slice(0, at + 1).join(' ') : line;
      check(`${'place' in to ? 'dm' : 'channel'} ${typed}`, bot.posted.slice(before), own);
      check(`log of ${typed}`, bot.log.slice(logged), line);
    }
    if (isChosen(at, ways.length)) check(`form of ${line}`, await bot.open(person, { line }).catch(String), line);
  }
  const engine = bot.replicas[0]?.engine as NonNullable<(typeof bot.replicas)[number]>['engine'];
  const actor = people[person] ?? person;
  for (const [at, command] of commands.entries()) {
    const form = await bot.open(person, { line: command.path }).catch(() => undefined);
    if (form === undefined || !('id' in form)) continue;
    const own = new Set(form.fields.flatMap((field) => (field.widget === 'search' ? [field.source] : [])));
    // The sources of other forms as well: a payload names the one that is searched.
    for (const [n, source] of sources.entries())
      for (const text of own.has(source) ? ['', 'zq', 'tag:'] : isChosen(at + n, 4) ? [''] : [])
        check(`${source} of ${command.path}`, await engine.suggest({ actor, form: form.id, source, text }), text);
    // A form that was opened, sent with a guess: what is wrong with a value is said at its field.
    for (const [n, guess] of ['34-12346', 'tag:zqtag0x'].entries()) {
      // Few forms open for the person with a narrow grant, so each is sent with both.
      if (known.size === 0 && !isChosen(at + n, 2)) continue;
      const sent = await bot.open(person, { line: command.path }).catch(() => undefined);
      if (sent === undefined || !('id' in sent)) continue;
      const values = Object.fromEntries(sent.fields.map(({ name: field }) => [field, guess]));
      const before = bot.posted.length;
      check(`submitted ${command.path} ${guess}`, await bot.submit(person, sent, values), guess);
      check(`answer to ${command.path} ${guess}`, bot.posted.slice(before), guess);
    }
  }
  // Requests of this person's own show the new name that they typed.
  const typed = 'rename 34-12345 zqorder2x';
  const onHome = { channel: '', kind: 'home' } as const;
  for (const place of [{ channel: ops, kind: 'channel' } as const, onHome])
    for (const text of ['', 'zq', 'tag:', ...addresses.slice(0, 3)])
      check(
        `found at ${place.kind}`,
        await engine.suggest({ actor, form: '', source: '', text, everythingAt: place }),
        `${text} ${typed}`,
      );
  for (const { id, requester } of await bot.store.operations.list({ limit: 20 })) {
    if (requester === actor) continue;
    const ask = { kind: 'intent', intent: { do: 'review', operation: id } } as const;
    const request = { id: `review:${id}`, actor, place: onHome, at: bot.now(), ask };
    check(`review of ${id}`, await formOf(engine.accept(request, 'wanted')).catch(String), '');
  }
  check('Home', await engine.home(actor), typed);
  check('Ask Hostler', await bot.shortcut(person, { kind: 'ask' }), typed);
  check('Act on this', await bot.shortcut(person, { kind: 'about', text: addresses.join(' ') }), '');
  expect(leaked).toEqual([]);
});

test('a person who waits for another request learns no name of it, neither from the refusal nor when the request runs', async () => {
  const bot = await startBot();
  await bot.say('lead', `stop ${granted}`);
  await bot.until(() => bot.story().includes('Stop zqorder'), 'the card');
  const own = (await bot.store.operations.list({ limit: 5 })).find(({ requester }) => requester === people.lead);
  await sayAndPress(bot, 'operator', `restart ${granted} 34-12352`, 'Ask anyway');
  await bot.press('operator', 'Confirm');
  await bot.until(async () => (await bot.store.locks.list()).some(({ target }) => target === `order:${granted}`));
  const before = bot.posted.length;
  await bot.say('lead', `restart ${granted}`);
  const button = { label: 'Confirm', intent: { do: 'vote', operation: own?.id ?? '', vote: 'confirm' } } as const;
  await bot.click('lead', button);
  await bot.until(async () => (await bot.store.operations.find(own?.id ?? ''))?.state === 'refused');
  const shown = JSON.stringify([
    bot.posted.slice(before).filter(({ key, onlyFor }) => onlyFor !== undefined || key.includes(own?.id ?? '?')),
    (await bot.store.operations.find(own?.id ?? ''))?.endText,
  ]);
  expect(shown).toContain('another request');
  expect(unknownNames(shown, '', namesOf(granted))).toEqual([]);
});

test('the card of a server lists only requests that may be read here completely, also for their requester', async () => {
  const bot = await startBot();
  const told = () => JSON.stringify(bot.posted.filter(({ onlyFor }) => onlyFor === people.lead).at(-1)?.view);
  await sayAndPress(bot, 'operator', `restart ${granted} 34-12352`, 'Withdraw');
  await bot.say('operator', `stop ${granted} 34-12352`);
  const other = state.projects.find(({ id }) => id !== state.orders.find((order) => order.id === granted)?.projectId);
  await bot.say('operator', `move ${granted} ${other?.id}`);
  const asked = await bot.store.operations.list({ limit: 3 });
  expect(asked.map(({ command }) => command)).toEqual(['move', 'stop', 'restart']);
  await bot.say('lead', `status ${granted}`);
  expect(told()).toContain('zqorder');
  expect(unknownNames(told(), '', namesOf(granted))).toEqual([]);
  expect(told()).not.toMatch(/"Waiting"|"Last"|archives/);
  // Here the requester has fewer rights, and may share each answer with the channel.
  const narrow = policySchema.parse({
    grants: [{ to: [`user:${people.operator}`], can: ['read'], on: [`order:${granted}`] }],
  });
  await bot.savePolicy(elsewhere, narrow, 1);
  await bot.say('operator', `status ${granted}`, { place: { channel: elsewhere, kind: 'channel' } });
  const shown = bot.transcript(elsewhere);
  expect(shown).toContain(granted);
  expect(unknownNames(shown, '', namesOf(granted))).toEqual([]);
});

test('a freeze of a tag is not named to a person who may not read the tag, in any list of requests', async () => {
  const bot = await startBot();
  const [freeze] = await bot.store.operations.list({ commands: ['freeze'], limit: 1 });
  if (freeze === undefined) throw new Error('no freeze');
  await bot.say('operator', `unfreeze ${(await bot.store.freezes.active(bot.now()))[0]?.id}`);
  await bot.until(() => bot.story().includes('End the freeze'), 'the card');
  const before = bot.posted.length;
  for (const line of ['requests', 'requests all', 'jobs', 'audit last=80']) await bot.say('lead', line);
  const shown = bot.posted.slice(before).filter(({ onlyFor }) => onlyFor === people.lead);
  expect(shown).toHaveLength(4);
  expect(JSON.stringify(shown)).not.toMatch(/zqtag0x|End the freeze/);
  const lock = { operationId: freeze.id, reason: 'Freeze tag:zqtag0x' };
  expect(await sayHolder(bot, lock, { channel: ops, may: () => false }, people.lead ?? '')).toBe('another request');
  expect(await sayHolder(bot, lock, { channel: ops, may: () => true }, people.lead ?? '')).toContain('tag:zqtag0x');
  // The request is about a channel, so only that channel reads of it.
  const there = { channel: elsewhere, may: () => true };
  expect(await sayHolder(bot, lock, there, people.lead ?? '')).toBe('another request');
});

test('a request that was stopped is not named by the request that stopped it to a person who may not read its servers', async () => {
  const bot = await startBot();
  await sayAndPress(bot, 'operator', 'restart 34-12352 34-12380');
  const running = async () => (await bot.store.operations.list({ commands: ['restart'], limit: 1 }))[0];
  await bot.until(async () => (await running())?.state === 'running', 'the restart');
  await bot.say('operator', `request stop ${(await running())?.id}`);
  await bot.until(async () => (await running())?.stopBy === people.operator, 'the stop');
  const before = bot.posted.length;
  for (const line of ['requests', 'jobs', 'audit last=80']) await bot.say('lead', line);
  const shown = JSON.stringify(bot.posted.slice(before).filter(({ onlyFor }) => onlyFor === people.lead));
  expect(shown).not.toMatch(/zqorder|Stop/);
});

test('an alert that names all servers shows only those that its channel may read', async () => {
  const bot = await startBot();
  const narrow = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'], on: [`order:${granted}`] }] });
  await bot.savePolicy(ops, narrow, 1);
  const { post } = await openHooks(bot);
  const words = state.orders.flatMap(({ id, addresses: own }) => [id, ...(own ?? [])]);
  const before = bot.posted.length;
  const { url } = await makeHookAlone(bot, 'json');
  for (let at = 0; at < words.length; at += 20)
    await post(url, JSON.stringify({ id: `all ${at}`, title: words.slice(at, at + 20).join(' ') }));
  // One message or two: alerts that come in quick succession share one.
  const alerts = () => JSON.stringify(bot.posted.filter(({ key }) => key.startsWith('alert:')));
  const firsts = words.filter((_, at) => at % 20 === 0);
  await bot.until(() => firsts.every((word) => alerts().includes(word)), 'all alerts');
  const shown = JSON.stringify(bot.posted.slice(before));
  expect(shown).toContain('zqorder');
  expect(unknownNames(shown, '', namesOf(granted))).toEqual([]);
});
