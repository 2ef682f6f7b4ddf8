import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import { connected, eventually, listening, test } from './support.ts';

const asked = (slack: { sim: { requests: (method: string) => unknown[] } }, method: string) =>
  slack.sim.requests(method).length;

test('members, guests, strangers, bots and deactivated people are distinguished', async ({ side }) => {
  const ids = ['U0OPERAT01', 'U0GUEST001', 'U0STRANGE1', 'U0GONE0001', side.identity.botUserId, 'U0NOBODY01'];
  const people = await Promise.all(ids.map((id) => side.directory.person(id)));
  const standings = ['member', 'guest', 'stranger', 'deactivated', 'bot', 'unknown'];
  expect(people.map((person) => person.membership)).toEqual(standings);
  expect(people[0]).toMatchObject({ timeZone: 'Europe/London' });
});

test('simultaneous lookups of a person are one request to Slack, and a change of the person causes a new one', async () => {
  const { slack, side } = await connected();
  await Promise.all(Array.from({ length: 20 }, () => side.directory.person('U0OPERAT01')));
  await side.directory.person('U0OPERAT01');
  expect(asked(slack, 'users.info')).toBe(1);
  await slack.sim.makeGuest('operator');
  await eventually(() => asked(slack, 'users.info') === 1);
  expect((await side.directory.person('U0OPERAT01')).membership).toBe('guest');
});

test('a changed group or channel is looked up again, the engine hears of channels', async ({ slack, side, engine }) => {
  expect([...(await side.directory.groupMembers('S0OPS00001'))]).toEqual(['U0OPERAT01', 'U0LEAD0001']);
  await slack.sim.setMembers('ops', ['lead']);
  expect([...(await side.directory.groupMembers('S0OPS00001'))]).toEqual(['U0LEAD0001']);
  const is = { isShared: false, isArchived: false, hasBot: true, isPrivate: false };
  expect(await side.directory.channel('C0OPS00001')).toMatchObject(is);
  await slack.sim.share('#ops');
  const shared = await side.directory.channel('C0OPS00001');
  expect(shared).toMatchObject({ isShared: true });
  expect(new Set(shared.teams).size).toBe(2);
  await slack.sim.unshare('#ops');
  await slack.sim.archive('#ops-private');
  await slack.sim.kick('#dev', 'hostler');
  await eventually(() => engine.changes.length === 4);
  expect(engine.changes).toEqual([
    { id: 'C0OPS00001', change: 'shared' },
    { id: 'C0OPS00001', change: 'unshared' },
    { id: 'C0PRIVATE1', change: 'archived' },
    { id: 'C0DEV00001', change: 'bot_left' },
  ]);
});

test('the engine is notified of a channel’s new id, again until it has moved everything', async () => {
  let fails = 1;
  const { slack, engine } = await connected({
    slack: { eventRetryMs: [20], ackTimeoutMs: 200 },
    engine: () => ({ move: async () => (fails-- > 0 ? Promise.reject(new Error('the database is away')) : undefined) }),
  });
  const to = await slack.sim.changeChannelId('#ops-private');
  await eventually(() => engine.moves.length === 2);
  expect(engine.moves).toEqual([
    { from: 'C0PRIVATE1', to },
    { from: 'C0PRIVATE1', to },
  ]);
});

test('people and groups are found by their typed name, all that share it', async ({ slack, side }) => {
  const { directory } = side;
  expect(await directory.named('OPS')).toEqual([{ id: 'S0OPS00001', kind: 'group' }]);
  expect(await directory.named('lead')).toEqual([{ id: 'U0LEAD0001', kind: 'person' }]);
  expect(await directory.named('nobody')).toEqual([]);
  expect(asked(slack, 'users.list')).toBe(1);
  await slack.sim.addPerson({ name: 'ops' });
  // Slack sends an event for a change; without one the cache ends after a minute.
  directory.forget.person('U0LEAD0001');
  expect((await directory.named('ops')).map(({ kind }) => kind)).toEqual(['group', 'person']);
});

test('the list of people has all with all their names, no deactivated people or bots', async ({ slack, side }) => {
  const people = await side.directory.roster();
  expect(people.find(({ id }) => id === 'U0LEAD0001')?.names).toContain('lead');
  for (const id of ['U0GONE0001', side.identity.botUserId]) expect(people.map((each) => each.id)).not.toContain(id);
  // A line cannot name a deactivated person.
  expect(await side.directory.named('gone')).toEqual([]);
  slack.sim.fault({ method: 'users.list', status: 500 });
  side.directory.forget.person('U0GONE0001');
  await expect(side.directory.roster()).rejects.toThrow('looking up people in Slack');
});

test('all groups with their members are one request to Slack', async ({ slack, side }) => {
  for (const group of ['S0OPS00001', 'S0DEV00001', 'S0OPS00001']) await side.directory.groupMembers(group);
  const label = { label: '@ops', description: 'Operations' };
  expect(await side.directory.groups()).toContainEqual({ value: 'S0OPS00001', ...label });
  expect(asked(slack, 'usergroups.list')).toBe(1);
  // The bot looks a missing group up once more, and not each time.
  for (let n = 0; n < 3; n++) expect((await side.directory.groupMembers('S0GONE0001')).size).toBe(0);
  expect(asked(slack, 'usergroups.list')).toBe(2);
});

test('a group that is newer than the list is found, also before Slack reports that it was created', async () => {
  const { slack, side } = await connected({ slack: { seed: { events: [] } } });
  const { directory } = side;
  await directory.groupMembers('S0OPS00001');
  await slack.sim.addGroup({ id: 'S0NEW00001', handle: 'new', members: ['U0LEAD0001'] });
  expect((await directory.groupMembers('S0NEW00001')).has('U0LEAD0001')).toBe(true);
  // While the lookup fails the group is unknown, which is not an empty group.
  slack.sim.fault({ method: 'usergroups.list', status: 429, retryAfterS: 30 });
  await slack.sim.addGroup({ id: 'S0NEW00002', handle: 'newer', members: ['U0LEAD0001'] });
  await expect(directory.groupMembers('S0NEW00002')).rejects.toThrow('Slack asks to wait 30 s');
  expect((await directory.groupMembers('S0NEW00001', 0)).has('U0LEAD0001')).toBe(true);
});

test('while Slack limits a method no request is sent, and the last answer counts unless Slack reported a change', async () => {
  const { slack, side } = await connected();
  const { directory } = side;
  await directory.groupMembers('S0OPS00001');
  await directory.person('U0OPERAT01');
  await directory.channel('C0OPS00001');
  const methods = ['usergroups.list', 'users.info', 'conversations.info'];
  for (const method of methods) slack.sim.fault({ method, status: 429, retryAfterS: 30 });
  for (let n = 0; n < 3; n++) {
    expect((await directory.groupMembers('S0OPS00001', 0)).has('U0LEAD0001')).toBe(true);
    expect((await directory.person('U0OPERAT01', 0)).membership).toBe('member');
    expect(await directory.channel('C0OPS00001', 0)).toMatchObject({ hasBot: true });
  }
  // One call before the limit, and one that hits the limit.
  expect(methods.map((method) => asked(slack, method))).toEqual([2, 2, 2]);
  // A person who was never looked up is unknown, and that is no answer.
  expect((await directory.person('U0LEAD0001')).membership).toBe('unknown');
  await slack.sim.setMembers('ops', ['lead']);
  await expect(directory.groupMembers('S0OPS00001')).rejects.toThrow('Slack asks to wait 30 s');
});

test('the members of a channel are read page by page, and who joins or leaves is noticed', async ({ slack, side }) => {
  const people = await Promise.all(Array.from({ length: 30 }, (_, n) => slack.sim.addPerson({ name: `extra-${n}` })));
  for (const person of people) await slack.sim.invite('#dev', person.id);
  expect(await side.directory.isInChannel('C0DEV00001', people.at(-1)?.id ?? '')).toBe(true);
  expect(await side.directory.isInChannel('C0DEV00001', 'U0GUEST001')).toBe(false);
  await slack.sim.kick('#dev', 'lead');
  expect(await side.directory.isInChannel('C0DEV00001', 'U0LEAD0001')).toBe(false);
});

test('a person who types in a channel is no outsider when the cached members are older', async ({ slack, side }) => {
  const { directory } = side;
  const reads = () => asked(slack, 'conversations.members');
  const sawIn = async (person: string) => {
    directory.sawIn('C0DEV00001', person);
    // The typed command is stored before the first lookup.
    await setImmediate();
  };
  expect(await directory.isInChannel('C0DEV00001', 'U0GUEST001')).toBe(false);
  expect(reads()).toBe(1);
  await sawIn('U0GUEST001');
  expect(await directory.isInChannel('C0DEV00001', 'U0GUEST001')).toBe(false);
  expect(reads()).toBe(2);
  await sawIn('U0LEAD0001');
  expect(await directory.isInChannel('C0DEV00001', 'U0LEAD0001')).toBe(true);
  expect(reads()).toBe(2);
});

test('after a failed lookup a person is unknown, and other lookups throw and name it', async ({ slack, side }) => {
  slack.sim.fault({ method: '*', status: 500 });
  expect((await side.directory.person('U0OPERAT01')).membership).toBe('unknown');
  await expect(side.directory.channel('C0OPS00001')).rejects.toThrow(
    'looking up channel C0OPS00001 in Slack: Slack answered 500',
  );
  await expect(side.directory.groupMembers('S0OPS00001')).rejects.toThrow('looking up group S0OPS00001');
  await expect(side.directory.isInChannel('C0OPS00001', 'U0LEAD0001')).rejects.toThrow('looking up the members');
  slack.sim.clearFaults();
  expect((await side.directory.person('U0OPERAT01')).membership).toBe('member');
});

test('an uploaded file is read with the bot’s token; a large or missing file is refused', async ({ slack, side }) => {
  const logo = Uint8Array.from([137, 80, 78, 71]);
  const id = slack.sim.upload('operator', '#ops', 'logo.png', logo);
  const file = { name: 'logo.png', type: 'image/png', bytes: Buffer.from(logo) };
  expect(await side.directory.file(id, 'U0OPERAT01')).toEqual(file);
  const large = slack.sim.upload('operator', '#ops', 'large.png', Buffer.alloc(5_000_001));
  await expect(side.directory.file(large, 'U0OPERAT01')).rejects.toThrow('larger than 5 MB');
  await expect(side.directory.file('F0NOTHING', 'U0OPERAT01')).rejects.toThrow('file_not_found');
});

test('a file is read only from Slack, so that the token goes nowhere else', async ({ slack, side }) => {
  const asked: string[] = [];
  const elsewhere = await listening((request, response) => {
    asked.push(request.headers.authorization ?? '');
    response.end('not a logo');
  });
  const id = slack.sim.upload('operator', '#ops', 'logo.png', 'x');
  const file = slack.sim.state().files.find((one) => one.id === id);
  if (file !== undefined) file.externalUrl = `${elsewhere}/logo.png`;
  await expect(side.directory.file(id, 'U0OPERAT01')).rejects.toThrow('stored elsewhere');
  expect(asked).toEqual([]);
});

const ofThree = ['U0OPERAT01', 'U0LEAD0001', 'U0READER01'];

test('a group direct message is known by the scope that the bot lacks, unless it lacks those for channels, too', async () => {
  const id = 'C0GROUPDM1';
  const { slack, side } = await connected();
  const members = [...ofThree, side.identity.botUserId];
  slack.sim.addChannel({ id, name: 'mpdm-operator--lead--hostler-1', kind: 'mpim', members });
  expect(await side.directory.channel(id)).toMatchObject({ id, isGroupDirect: true });
  expect(await side.directory.channel('C0OPS00001')).not.toHaveProperty('isGroupDirect');
  const scopes = slack.sim.state().scopes.filter((scope) => scope !== 'groups:read');
  const poorer = await connected({ slack: { seed: { scopes } } });
  expect(poorer.side.scopes).toEqual(scopes);
  await expect(poorer.side.directory.channel('C0PRIVATE1')).rejects.toThrow('missing_scope');
});

test('a group direct message without the bot is known by its name in a command and in a shortcut', async () => {
  const { slack, side, engine } = await connected();
  for (const [id, act] of [
    ['C0GROUPDM1', () => slack.sim.say('operator', 'C0GROUPDM1', '/host list')],
    [
      'C0GROUPDM2',
      async () => {
        const { ts = '' } = await slack.sim.say('operator', 'C0GROUPDM2', 'is web-1 down?');
        await slack.sim.messageShortcut('operator', 'hostler_about', { channel: 'C0GROUPDM2', ts: ts ?? '' });
      },
    ],
  ] as const) {
    slack.sim.addChannel({ id, name: `mpdm-operator--lead--reader-${id.at(-1)}`, kind: 'mpim', members: ofThree });
    await expect(side.directory.channel(id)).rejects.toThrow('channel_not_found');
    const before = engine.received.length;
    await act();
    await eventually(() => engine.received.length > before);
    expect(await side.directory.channel(id)).toMatchObject({ id, isGroupDirect: true });
  }
});

test('the link of a message is requested once; a deleted message has no link, and an error is not kept as an answer', async () => {
  const { slack, side } = await connected();
  const channel = 'C0OPS00001';
  const said = async (text: string) => {
    await slack.sim.say('operator', '#ops', text);
    return slack.sim.messages('#ops').at(-1)?.ts ?? '';
  };
  const [ts, other] = [await said('one'), await said('two')];
  const address = await side.directory.permalink(channel, ts);
  const { domain } = slack.sim.state().team;
  expect(address).toBe(`https://${domain}.slack.com/archives/${channel}/p${ts.replace('.', '')}`);
  expect(await side.directory.permalink(channel, ts)).toBe(address);
  expect(asked(slack, 'chat.getPermalink')).toBe(1);
  const { messages } = slack.sim.state();
  const at = messages.findIndex((message) => message.ts === other);
  messages.splice(at, 1);
  expect(await side.directory.permalink(channel, other)).toBeUndefined();
  expect(await side.directory.permalink('C0NOWHERE1', ts)).toBeUndefined();
  slack.sim.setDown(true);
  await expect(side.directory.permalink(channel, '1.000001')).rejects.toThrow('the address of a message');
  slack.sim.setDown(false);
});
