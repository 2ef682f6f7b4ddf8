import { expect, onTestFinished, test } from 'vitest';
import { startBot } from '../../src/bot.ts';
import { readConfig } from '../../src/config.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { createLogger } from '../../src/log.ts';
import { usualPolicy } from '../support/bot/policy.ts';
import { writesOf } from '../support/bot/writes.ts';
import { freshDatabase } from '../support/database/databases.ts';
import { openSimulators } from '../support/process/simulators.ts';

/** The bot caches Slack's answers about people for a minute; right before a request runs, for ten seconds at most. */
test('a confirmed request does not run when its right was taken away without an event from Slack', async () => {
  const { slack, provider, settings } = await openSimulators();
  const database = await freshDatabase('sqlite');
  const reading = readConfig({ ...settings, DATABASE_URL: database.url, PORT: '0' });
  if (reading.kind !== 'live') throw new Error('the settings are not complete');
  const { config } = reading;
  let aheadMs = 0;
  const log = createLogger({ level: 'fatal', secrets: config.secrets });
  const bot = await startBot(config, log, { now: () => Date.now() + aheadMs });
  onTestFinished(async () => {
    await bot.stop();
    await database.drop();
  });
  const { sim } = slack;
  const group = sim.state().groups.find(({ handle }) => handle === 'ops');
  const ops = sim.state().channels.find(({ name }) => name === 'ops');
  const operator = sim.state().people.find(({ name }) => name === 'operator');
  if (group === undefined || ops === undefined || operator === undefined) throw new Error('the workspace is another');
  await createPolicies(bot.store, bot.directory).save(ops.id, usualPolicy(group.id), 0);
  await sim.say('operator', '#ops', '/host restart web-1');
  await sim.waitFor('[Cancel]', { channel: '#ops' });
  // Changes the workspace without the event that Slack would send.
  group.members.splice(group.members.indexOf(operator.id), 1);
  aheadMs = 20_000;
  await sim.click('operator', { channel: '#ops', isMain: true });
  await sim.waitFor('not run: you need “operate”', { channel: '#ops' });
  expect(writesOf(provider.sim)).toEqual([]);
});
