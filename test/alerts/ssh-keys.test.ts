import { expect, test } from 'vitest';
import { keyBody } from '../../sandbox/provider/seed/ssh-keys.ts';
import { personNamedIn } from '../../src/alerts/ssh-key-owner.ts';
import { day, openWatch } from './support.ts';

const person = (id: string, isDeactivated: boolean, ...names: string[]) => ({ id, names, isDeactivated });
const isComplete = true;

test.each([
  ['the part before the @ of the comment', 'ssh-ed25519 AAAA bob@desk', 'x', 'bob'],
  ['the whole comment', 'ssh-ed25519 AAAA Bob B. Builder', 'x', 'bob b. builder'],
  ['the title', 'ssh-ed25519 AAAA', ' Bob ', 'bob'],
])('the owner of an SSH key is found by %s', (_, key, title, name) => {
  const people = [person('U1', true, name), person('U2', false, 'ada')];
  expect(personNamedIn({ key, title }, { people, isComplete })).toEqual({ id: 'U1', name, isDeactivated: true });
});

test('an SSH key has no owner when its name fits two people or nobody, or when not all members were read', () => {
  const bob = { key: 'ssh-ed25519 AAAA bob@desk', title: 'Workstation' };
  const gone = person('U1', true, 'bob');
  expect(personNamedIn(bob, { people: [gone, person('U2', false, 'bob')], isComplete })).toBe(undefined);
  expect(personNamedIn(bob, { people: [gone], isComplete: false })).toBe(undefined);
  expect(personNamedIn({ ...bob, key: 'ssh-ed25519 AAAA bobby@desk' }, { people: [gone], isComplete })).toBe(undefined);
  // Two names in one key that mean two people.
  expect(personNamedIn({ ...bob, title: 'ada' }, { people: [gone, person('U2', true, 'ada')], isComplete })).toBe(
    undefined,
  );
  expect(personNamedIn({ key: 'ssh-ed25519 AAAA', title: '' }, { people: [person('U1', true, '')], isComplete })).toBe(
    undefined,
  );
});

const removeKey = async (bot: Awaited<ReturnType<typeof openWatch>>, id: number) => {
  await bot.say('operator', `ssh-key remove ${id}`);
  await bot.press('lead', 'Approve');
  await bot.settle();
  await bot.delivered();
};

test('SSH keys are read once a week, and an alert about a removed key is resolved when the request that removed it ends', async () => {
  const bot = await openWatch({ 'ssh-key-owner': {}, 'ssh-key-unused': {} });
  bot.roster.set('U0BOB', { name: 'bob', standing: 'member' });
  await bot.sweep();
  expect(bot.story()).toContain('The SSH key Old workstation is linked to no server');
  expect(bot.story()).not.toContain('somebody who is deactivated');
  bot.roster.set('U0BOB', { name: 'bob', standing: 'deactivated' });
  bot.sim.clearRequests();
  for (let n = 0; n < 6; n++) await bot.later(day);
  expect(bot.sim.requests().filter(({ path }) => path.includes('ssh_keys'))).toEqual([]);
  expect(bot.story()).not.toContain('somebody who is deactivated');
  await bot.later(day + 60_000);
  expect(bot.story()).toContain('🟡 The SSH key Old workstation belongs to somebody who is deactivated');
  expect(bot.story()).toContain('It names bob, which is @bob, who is deactivated.');
  // By fingerprint and comment, never in full.
  expect(bot.story()).toContain('bob@desk');
  expect(bot.story()).not.toContain(keyBody('ssh-rsa', 'Old workstation').slice(0, 40));
  // A request that is not about a key does not read the keys.
  bot.sim.clearRequests();
  await bot.say('operator', 'restart web-1');
  await bot.press('operator', 'Confirm');
  await bot.settle();
  await bot.delivered();
  expect(bot.sim.requests().filter(({ path }) => path.includes('ssh_keys'))).toEqual([]);
  await removeKey(bot, 3);
  await bot.until(() => bot.story().split('✅ The SSH key 3 is removed').length === 3, 'both alerts to be resolved');
});

test('SSH keys or members that cannot be read resolve no alert and raise none', async () => {
  const bot = await openWatch({ 'ssh-key-owner': {}, 'ssh-key-unused': {} });
  bot.roster.set('U0BOB', { name: 'bob', standing: 'deactivated' });
  await bot.sweep();
  expect(await bot.store.alerts.countOpen()).toBe(2);
  const { roster } = bot.directory;
  Object.assign(bot.directory, { roster: async () => Promise.reject(new Error('ratelimited')) });
  bot.sim.fault({ kind: 'answer', match: 'GET /vps/{order_id}/ssh_keys/', only: '34-12345', status: 500 });
  bot.sim.sshKey({ key: `ssh-ed25519 ${keyBody('ssh-ed25519', 'new')} new@desk`, title: 'New', isDefault: false });
  await bot.later(7 * day + 60_000);
  expect(await bot.store.alerts.countOpen()).toBe(2);
  Object.assign(bot.directory, { roster });
  bot.sim.clearFaults();
  bot.roster.set('U0BOB', { name: 'bob', standing: 'member' });
  // Keys that could not be read are read at the next sweep, and not a week later.
  await bot.later(60_000);
  await bot.later(6 * 60_000);
  expect(bot.story()).toContain('✅ The SSH key 3 belongs to somebody who is active');
});
