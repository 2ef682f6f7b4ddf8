import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { granting } from '../../support/bot/policy.ts';
import { serversOutside } from '../../support/bot/servers-outside.ts';
import type { TestBotOptions } from '../../support/bot/test-bot.ts';
import { engines } from '../../support/database/databases.ts';
import { asked, decide, rules } from '../asked.ts';

// A server that answered from outside before a change has to answer again, and the request ends with what was seen.

const second = 1_000;
const minute = 60 * second;
const web1 = '192.0.2.10';
const before = `https example.com at ${web1}, ssh at ${web1}`;

/** A request that waits for its decision, and the servers as seen from outside. */
async function world(line = 'restart web-1', options: TestBotOptions = {}, answers?: readonly string[]) {
  const servers = serversOutside(answers);
  const all = await asked({ ...options, process: { prober: servers.prober, ...options.process } }, line);
  const { bot, id } = all;
  /** The decision, and the looks right before the changes that begin at once. */
  const begin = async (label = 'Confirm', looks = 1) => {
    await bot.press('operator', label);
    await bot.until(() => servers.probes.length >= looks);
  };
  /** Waits for this many probes, while the turns are woken. */
  const untilProbes = (many: number) =>
    bot.until(() => {
      for (const { wake } of bot.replicas) wake(id);
      return servers.probes.length >= many;
    }, `${many} probes`);
  /** Begins, and the servers at these addresses answer nothing from then on. */
  const goSilent = async (many = 2, addresses: readonly string[] = [web1]) => {
    await begin('Confirm', addresses.length);
    for (const address of addresses) servers.silent.add(address);
    await untilProbes(many);
  };
  const untilEnd = async () => {
    await bot.until(async () => {
      for (const { wake } of bot.replicas) wake(id);
      return (await all.row())?.endedAt !== null;
    }, 'the end');
    await bot.settle();
  };
  return { ...all, ...servers, begin, goSilent, untilProbes, untilEnd };
}

test.each(engines)('a site that is back after 41 s is reported with what answers again (%s)', async (engine) => {
  const { bot, silent, probes, goSilent, untilEnd } = await world('restart web-1', { engine });
  silent.add('192.0.2.99');
  await goSilent(3);
  expect(bot.transcript()).toContain('[waiting for its answer]');
  bot.skip(41 * second);
  silent.delete(web1);
  await untilEnd();
  const answers = 'web-1 restarted; https example.com and ssh answer again after 41 s.';
  expect(bot.transcript()).toMatch(/Restart web-1 {2}\[answers again after 4\d s\]/);
  expect(bot.transcript().replaceAll(/after 4\d s/g, 'after 41 s')).toContain(answers);
  // Anything that was silent before is not asked for afterwards.
  expect(new Set(probes.slice(1))).toEqual(new Set([before]));
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
});

test('a server with its power on that answers nothing ends as not verified, with the next steps as buttons', async () => {
  const { bot, row, goSilent, untilEnd } = await world();
  await goSilent();
  bot.skip(5 * minute);
  await untilEnd();
  expect((await row())?.state).toBe('unverified');
  const text = bot.transcript().replaceAll(/5 min \d s/g, '5 min');
  expect(text).toContain('Restart web-1  [power on, nothing answers after 5 min]');
  expect(text).toContain(
    'Restart web-1: accepted by the provider, but not verified: power on, nothing answers after 5 min; before it, https example.com and ssh answered.',
  );
  expect(text).toContain('[Rescue mode] [Hard reset…] [Open a ticket…]');
});

test('one service of two that does not come back is named', async () => {
  const answers = ['ssh', 'https example.com'];
  const { bot, begin, untilProbes, untilEnd } = await world('restart web-1', {}, answers);
  await begin();
  answers.pop();
  await untilProbes(2);
  bot.skip(6 * minute);
  await untilEnd();
  expect(bot.transcript()).toMatch(/\[power on, https example\.com not back after 6 min( \d s)?\]/);
});

test('a server behind a firewall, which answered nothing before, ends as without a look', async () => {
  const { bot, probes, begin } = await world('restart web-1', {}, []);
  await begin();
  await bot.settle();
  expect(bot.transcript()).toContain('web-1 restarted; the power is on.');
  expect(probes).toHaveLength(1);
});

const ns = [1, 2];
test.each(ns)('of three servers, %i at a time, others are not started when the first do not come back', async (n) => {
  const line = `restart web-1 web-2 ci-1 --parallel ${n}`;
  const { bot, row, goSilent, untilEnd } = await world(line, {}, ['ssh']);
  // A server that is back makes room for the next one.
  await goSilent(n + 1, [web1, '192.0.2.11'].slice(0, n));
  bot.skip(6 * minute);
  await untilEnd();
  expect(bot.writes()).toHaveLength(n);
  expect((await row())?.endText).toContain(n === 1 ? 'not started: web-2 and ci-1.' : 'not started: ci-1.');
  expect((await row())?.state).toBe('unverified');
});

test('a plan stops at a server that does not answer again', async () => {
  const { bot, row, silent, begin, untilProbes, untilEnd } = await world('restart web-1 then stop web-2', {}, ['ssh']);
  await begin('Run 2 steps');
  silent.add(web1);
  await untilProbes(2);
  bot.skip(6 * minute);
  await untilEnd();
  expect(bot.writes()).toHaveLength(1);
  expect((await row())?.endText).toMatch(/nothing answers after 6 min.*not started: Stop web-2\./);
});

test('several servers that answer again are said to in one sentence', async () => {
  const { probes, row, begin, untilEnd } = await world('restart web-1 web-2', {}, ['ssh']);
  await begin();
  await untilEnd();
  expect((await row())?.endText).toMatch(/^web-1 and web-2 restarted( in \d+ s)?; all answer again as before\.$/);
  expect(probes).toHaveLength(4);
});

test.each(engines)('a bot that is killed during the probes continues them and sends one start (%s)', async (engine) => {
  const { bot, silent, probes, row, goSilent, untilProbes, untilEnd } = await world('restart web-1', { engine });
  await goSilent();
  await (engine === 'sqlite' ? bot.crash() : bot.restart());
  await untilProbes(3);
  silent.delete(web1);
  await untilEnd();
  expect((await row())?.state).toBe('done');
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/']);
  expect(new Set(probes.slice(1))).toEqual(new Set([before]));
});

test('a person who stops the waiting ends the request, and another may begin', async () => {
  const { bot, row, goSilent, untilEnd } = await world();
  await goSilent();
  await bot.press('operator', 'Stop waiting');
  await untilEnd();
  expect((await row())?.endText).toContain('ssh answered; the wait was stopped.');
  await decide(bot, 'rescue on web-1', 'operator', 'Start rescue mode of web-1');
  expect(bot.writes()).toEqual(['POST /vps/34-12345/restart/', 'POST /vps/34-12345/rescue_mode/']);
});

test('rescue mode is done once anything answers, and names the services that do not', async () => {
  const answers = ['ssh', 'https example.com'];
  const { row, begin, untilEnd } = await world('rescue on web-1', {}, answers);
  await begin('Start rescue mode of web-1');
  answers.pop();
  await untilEnd();
  expect((await row())?.endText).toMatch(
    /^web-1 is in rescue mode; ssh answers again after \d s; https example\.com answered before and does not now\.$/,
  );
});

test('a reinstalled server stays not verified, and its card names the services that answer and those that do not', async () => {
  const policy = granting({ everyone: 'read operate destroy' }, { destructive: 'confirm' });
  const answers = ['ssh', 'https example.com'];
  const options = { policy, provider: { jobMs: 300 } };
  const reinstalled = await world('reinstall web-1 template="Debian 13"', options, answers);
  const { bot, row, begin, untilProbes, untilEnd } = reinstalled;
  await begin();
  answers.pop();
  await untilProbes(2);
  await untilEnd();
  expect((await row())?.state).toBe('unverified');
  expect((await row())?.endText).toMatch(
    /which system is on it cannot be read: check the server itself; ssh answers again after .+; https example\.com answered before and does not now\.$/,
  );
  expect(bot.transcript()).not.toContain('[Hard reset…]');
});

test('a policy names a further port of its servers and a longer time', async () => {
  const longer = [{ on: ['tag:web'], port: 8_443, within: '10m' }];
  const policy = policySchema.parse({ ...rules('confirm'), answers: longer });
  const { bot, silent, row, goSilent, untilProbes, untilEnd } = await world('restart web-1', { policy }, ['port 8443']);
  await goSilent();
  bot.skip(6 * minute);
  await untilProbes(4);
  expect((await row())?.endedAt).toBeNull();
  silent.delete(web1);
  await untilEnd();
  expect((await row())?.endText).toMatch(/^web-1 restarted; port 8443 answers again after 6 min/);
});

test('Details name the tried services, with the place and the time', async () => {
  const { bot, begin, untilEnd } = await world();
  await begin();
  await untilEnd();
  const details = JSON.stringify(await bot.open('operator', { button: 'Details' }));
  expect(details).toContain('Tried from the bot');
  expect(details).toContain(
    ': https example.com (12 ms) and ssh (12 ms) answered; https example.com and ssh answer again after 1 s',
  );
});
