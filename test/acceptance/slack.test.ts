import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { policySchema } from '../../src/core/policy/policy.ts';
import { granting } from '../support/bot/policy.ts';
import { opsGroup, patientSlack, startSystem, type TestSystem } from '../support/process/test-system.ts';

// Tests what only Slack has: threads, Home, shortcuts, files, repeated deliveries, and people and channels that change. Over
// HTTP as well: one payload of each kind, whose acknowledgement has another form there.

/** A change needs an approval. */
const approving = granting({ everyone: 'read operate' }, { disruptive: { approve: 1, by: [`group:${opsGroup}`] } });

let stages: Record<'socket' | 'http', TestSystem>;
beforeAll(async () => {
  const [socket, http] = await Promise.all([
    startSystem({ slack: patientSlack, mode: 'socket' }),
    startSystem({ slack: patientSlack, mode: 'http' }),
  ]);
  stages = { socket, http };
});
afterAll(() => Promise.all(Object.values(stages).map((system) => system.close())));

describe.each(['socket', 'http'] as const)('Slack over %s', (mode) => {
  test.concurrent('a direct message and a mention in a thread are answered', async ({ expect }) => {
    const system = stages[mode];
    const ops = await system.channel('thread');
    const { sim } = system.slack;
    await sim.say('reader', 'dm', 'version');
    await sim.waitFor((s) => s.transcript('dm', 'reader').includes('@hostler:'));
    const { ts } = await sim.say('operator', ops, 'vpn-1 is slow again');
    await sim.say('operator', ops, '@hostler restart vpn-1', { thread_ts: ts ?? '' });
    await sim.waitFor('[Cancel]', { channel: ops });
    await sim.click('operator', { channel: ops, isMain: true });
    await sim.waitFor('done in', { channel: ops });
    await system.settle();
    expect(sim.transcript('dm', 'reader')).toMatch(/^@reader: version\n@hostler: Hostler \d/);
    // The card and the end are in the thread.
    expect(sim.transcript(ops)).toMatch(
      /^ {4}@hostler: ✅ Restart vpn-1 · done in [\s\S]*^ {4}@hostler: vpn-1 restarted;/m,
    );
  });

  test.concurrent('Home shows the waiting requests, and the person can approve there', async ({ expect }) => {
    const system = stages[mode];
    const ops = await system.channel('home', approving);
    const { sim } = system.slack;
    await sim.say('operator', ops, '/host restart monitor-1');
    await sim.waitFor('[Approve ', { channel: ops });
    await sim.openHome('lead');
    await sim.waitFor((s) => s.homeText('lead').includes('Restart monitor-1'));
    await sim.click('lead', { home: true, label: 'Review…' });
    await sim.waitFor((s) => s.viewText('lead').includes('Needs 1 of: @ops or an admin.'));
    await sim.submit('lead');
    await sim.waitFor('done in', { channel: ops });
    // The person does not open Home again.
    await sim.waitFor((s) => !s.homeText('lead').includes('Needs you'));
    expect(sim.view('lead')).toBeUndefined();
    await system.settle();
    expect(sim.transcript(ops)).toContain('@hostler: @operator monitor-1 restarted; the power is on.');
  });

  test.concurrent('a replayed payload does nothing, and is still acknowledged', async ({ expect }) => {
    const system = stages[mode];
    const ops = await system.channel('replay');
    const { sim } = system.slack;
    const asked = await sim.say('operator', ops, '/host restart mail-1');
    await sim.waitFor('[Cancel]', { channel: ops });
    const clicked = await sim.click('operator', { channel: ops, isMain: true });
    for (const { payloadId } of [asked, clicked, asked, clicked]) {
      expect(await sim.replay(payloadId ?? '')).toMatchObject({ ok: true });
    }
    await sim.waitFor('done in', { channel: ops });
    await system.settle();
    for (const { payloadId } of [asked, clicked]) expect(await sim.replay(payloadId ?? '')).toMatchObject({ ok: true });
    expect(system.writes().filter((write) => write.includes('34-12360'))).toEqual(['POST /vps/34-12360/restart/']);
    // The card, and the end in its thread.
    expect(sim.messages(ops)).toHaveLength(2);
  });

  test('a search offers only what the person may change', async () => {
    const system = stages[mode];
    const operates = { to: ['everyone'], can: ['operate'], on: ['tag:db'] };
    const policy = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }, operates] });
    const ops = await system.channel('search', policy);
    const { sim } = system.slack;
    await sim.say('reader', ops, '/host stop');
    const view = await sim.waitFor((s) => s.view('reader')?.submit !== null && s.view('reader'));
    const action = JSON.stringify(view.blocks).match(/"action_id":"([^"]*search[^"]*)"/)?.[1] ?? '';
    const offered = async (typed: string) => {
      const { options, outcome } = await sim.suggest('reader', { action_id: action, value: typed });
      expect(outcome.error).toBeNull();
      return options.map((option) => JSON.stringify(option)).join();
    };
    expect(await offered('-1')).toContain('db-1');
    expect(await offered('-1')).not.toContain('web-1');
    expect(await offered('web')).toBe('');
    await sim.closeView('reader');
  });
});

test.concurrent('Home marks a favorite and can show only favorites', async ({ expect }) => {
  const system = stages.socket;
  await system.channel('favorites', granting({ everyone: 'read' }));
  const { sim } = system.slack;
  await sim.openHome('reader');
  await sim.waitFor((s) => s.homeText('reader').includes('In trouble, or a favorite'));
  await sim.select('reader', { home: true, label: 'Actions', value: '☆ Favorite' });
  await sim.waitFor((s) => s.homeText('reader').split('★ favorite').length === 2);
  await sim.select('reader', { home: true, label: 'In trouble, or a favorite', value: '★ Favorites' });
  await sim.waitFor((s) => s.homeText('reader').split('[Actions').length === 2);
  expect(sim.requests().filter(({ ok }) => !ok)).toEqual([]);
});

test('"Act on this" finds the servers that a message names, and the global shortcut asks for a command', async () => {
  const system = stages.socket;
  const ops = await system.channel('about');
  const { sim } = system.slack;
  const { ts } = await sim.say('reader', ops, 'ALERT disk almost full on 192.0.2.30 (cache-1)');
  await sim.messageShortcut('operator', 'hostler_about', { channel: ops, ts: ts ?? '' });
  await sim.waitFor((s) => s.viewText('operator').includes('cache-1'));
  expect(sim.viewText('operator')).toContain('cache-1 · 34-12352 · 192.0.2.30\n[Status] [Restart]');
  await sim.click('operator', { label: 'Status' });
  await sim.waitFor((s) => s.viewText('operator').includes('paid until'));
  await sim.closeView('operator');
  await sim.click('operator', { label: 'Restart' });
  await sim.waitFor('[Cancel]', { channel: ops });
  expect(sim.transcript(ops)).toContain('Restart cache-1');
  await sim.waitFor((s) => /Requested in .*: Restart cache-1/.test(s.viewText('operator')));
  expect(sim.viewText('operator')).toContain('[Show it]');
  expect(sim.ephemerals('operator').filter(({ channel }) => channel === ops)).toEqual([]);
  await sim.closeView('operator');
  await sim.shortcut('operator', 'hostler_ask');
  await sim.waitFor((s) => s.view('operator')?.submit !== null && s.viewText('operator') !== '');
  expect(sim.viewText('operator')).toContain('[Close]');
  await sim.closeView('operator');
});

test('a card that was posted twice is one card after a click on the first, which becomes a link to the second', async () => {
  const system = stages.socket;
  const ops = await system.channel('twice');
  const { sim } = system.slack;
  const showing = (words: string) =>
    sim.messages(ops).filter((message) => sim.plainText(message).includes(words)).length;
  // Slack accepts the first post, and its answer is lost: the bot posts the card again.
  sim.fault({ method: 'chat.postMessage', isAnswerLost: true, count: 1 });
  await sim.say('operator', ops, '/host restart ci-1');
  await sim.waitFor(() => showing('[Cancel]') === 2);
  await sim.click('operator', { channel: ops, isMain: true });
  await sim.waitFor(() => showing('done in') === 1);
  expect(showing('[Cancel]')).toBe(1);
  await sim.click('operator', { channel: ops, isMain: true });
  await sim.waitFor(() => showing('This card was posted twice. The other one') === 1);
  expect(showing('[Cancel]')).toBe(0);
  await system.settle();
  expect(system.writes().filter((write) => write.includes('34-12371'))).toHaveLength(1);
});

describe('people without rights, and channels whose rights rest', () => {
  const refused = async (who: string, channel: string, line: string): Promise<string> => {
    const system = stages.socket;
    const { sim } = system.slack;
    const id = sim.state().people.find(({ name }) => name === who)?.id ?? '';
    const own = () => sim.ephemerals(id).filter((message) => message.channel === channel);
    const before = own().length;
    expect((await sim.say(who, channel, `/host ${line}`)).error).toBeNull();
    const said = await system.until(() => own()[before], `a private answer for @${who}`);
    return sim.plainText(said);
  };

  test('a guest and a person of another organization are refused, unless a grant names them', async () => {
    const system = stages.socket;
    const { sim } = system.slack;
    const ops = await system.channel('strangers');
    await sim.invite(ops, 'partner');
    expect(await refused('guest', ops, 'status web-1')).toContain('guests cannot use Hostler here');
    expect(await refused('partner', ops, 'status web-1')).toContain(
      'people from another organization cannot use Hostler here',
    );
    const guest = sim.state().people.find(({ name }) => name === 'guest')?.id ?? '';
    await system.allow(ops, granting({ [`user:${guest}`]: 'read' }));
    // The bot may rest on the policy that it read half a second ago.
    await sleep(600);
    await sim.say('guest', ops, '/host status web-1');
    await sim.waitFor('web-1 · 🟢 on', { channel: ops });
  });

  test('a right that was just lost does not count: deactivated before the click, or a guest before the next line', async () => {
    const system = stages.socket;
    const { sim } = system.slack;
    const ops = await system.channel('leaving', approving);
    const leaver = await sim.addPerson({ name: 'leaver' });
    await sim.invite(ops, leaver.id);
    await sim.say('leaver', ops, '/host restart web-2');
    await sim.waitFor('[Approve ', { channel: ops });
    await sim.deactivate('leaver');
    await sim.click('lead', { channel: ops, isMain: true });
    await sim.waitFor('not run', { channel: ops });
    expect(sim.transcript(ops)).toContain('deactivated');
    expect(system.writes()).not.toContain('POST /vps/34-12399/restart/');
    await sim.makeGuest('reader');
    expect(await refused('reader', ops, 'status web-1')).toContain('guests cannot use Hostler here');
    await sim.makeGuest('reader', false);
  });

  test('a command is refused in a channel that is shared or without the bot, and no request runs in an archived channel', async () => {
    const system = stages.socket;
    const { sim } = system.slack;
    const ops = await system.channel('changing');
    await sim.say('operator', ops, '/host version');
    await system.until(() => sim.ephemerals('operator').some(({ channel }) => channel === ops), 'an answer');
    await sim.share(ops);
    expect(await refused('operator', ops, 'restart web-3')).toContain('shared with another organization');
    // The channel is again in the state in which an admin gave the rights.
    await sim.unshare(ops);
    await sim.say('operator', ops, '/host restart web-3');
    await sim.waitFor('[Cancel]', { channel: ops });
    const other = await system.channel('left', approving);
    await sim.kick(other, system.slack.botUserId);
    expect(await refused('operator', other, 'restart db-1')).toContain('Type `/invite @Hostler` here and ask again');
    expect(await system.store.operations.list({ channel: other, limit: 1 })).toEqual([]);
    await sim.invite(other, system.slack.botUserId);
    await sim.say('operator', other, '/host restart db-1');
    await sim.waitFor('[Approve ', { channel: other });
    await sim.archive(other);
    await sim.openHome('lead');
    await sim.waitFor((s) => s.homeText('lead').includes('Restart db-1'));
    await sim.click('lead', { home: true, label: 'Review…' });
    await sim.waitFor((s) => s.viewText('lead').includes('Needs 1 of'));
    await sim.submit('lead');
    await system.until(() => sim.transcript('dm', 'operator').includes('not run'), 'the end, told directly');
    expect(sim.transcript('dm', 'operator')).toContain('archived');
    expect(system.writes()).not.toContain('POST /vps/34-12346/restart/');
  });
});
