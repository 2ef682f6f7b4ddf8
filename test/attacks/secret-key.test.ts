import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { keyFor } from '../../src/core/text/keys.ts';
import { seal, unseal } from '../../src/engine/context/seal-secrets.ts';
import { creationSecret } from '../../src/engine/hooks/creation-webhook.ts';
import { startedCreation } from '../support/bot/creation.ts';
import { startTestBot, type TestBot } from '../support/bot/test-bot.ts';

// HOSTLER_SECRET_KEY has several uses. A person who learns the value of one use must not get the others.

const key = new Uint8Array(32).fill(7);
const other = new Uint8Array(32).fill(9);
const credentials = { ip_address: '203.0.113.66', username: 'root', password: 'of the attacker' };
const body = Buffer.from(JSON.stringify({ id: '34-66666', name: 'web-9', credentials }));
const start = (more: object = {}) => startTestBot({ config: { publicUrl: 'http://hostler', ...more } });

async function report(bot: TestBot, operation: string, secret: string) {
  return bot.replicas[0]?.receiveHook({
    path: `/hooks/created/${operation}`,
    encoding: undefined,
    signature: createHmac('sha256', secret).update(body).digest('hex'),
    read: async () => body,
  });
}
const secrets = (bot: TestBot) => bot.posted.filter((message) => message.key.startsWith('secret:'));

test('a forged creation report for a restart is refused, even when it is signed with the key, and so is a late one', async () => {
  const bot = await start();
  const restart = await startedCreation(bot.store, 'aaaaaaaa', { command: 'restart' });
  const lastWeek = await startedCreation(bot.store, 'aaaaaaab', { startedAt: bot.now() - 8 * 86_400_000 });
  for (const id of [restart, lastWeek])
    expect(await report(bot, id, creationSecret(key, id))).toMatchObject({ status: 400 });
  expect(secrets(bot)).toEqual([]);
});

test('the secret of one creation opens no other creation and no sealed value', async () => {
  const bot = await start();
  const [mine, another] = [await startedCreation(bot.store, 'aaaaaaac'), await startedCreation(bot.store, 'aaaaaaad')];
  const given = creationSecret(key, mine);
  expect(await report(bot, another, given)).toMatchObject({ status: 401 });
  // A signature with the key itself, without a purpose.
  const unbound = createHmac('sha256', key).update(`created:${another}`).digest('hex');
  expect(await report(bot, another, unbound)).toMatchObject({ status: 401 });
  const sealed = seal('hunter2', keyFor(key, 'sealed secrets'), 'a:U1');
  for (const wrong of [key, keyFor(key, 'creation webhooks'), keyFor(key, 'audit head'), Buffer.from(given, 'hex')])
    expect(() => unseal(sealed, [wrong], 'a:U1')).toThrow();
});

test('while the key is rotated, reports and sealed values of the previous key are accepted, and of no other key', async () => {
  const bot = await start({ secretKeys: [other, key] });
  const id = await startedCreation(bot.store, 'aaaaaaae');
  expect(await report(bot, id, creationSecret(new Uint8Array(32), id))).toMatchObject({ status: 401 });
  expect(await report(bot, id, creationSecret(key, id))).toMatchObject({ status: 200 });
  const sealed = seal('hunter2', keyFor(key, 'sealed secrets'), 'a:U1');
  expect(unseal(sealed, [keyFor(other, 'sealed secrets'), keyFor(key, 'sealed secrets')], 'a:U1')).toBe('hunter2');
});

test('a sealed value with a shortened tag does not open', () => {
  const sealing = keyFor(key, 'sealed secrets');
  const bytes = Buffer.from(seal('', sealing, 'a:U1'), 'base64');
  expect(unseal(bytes.toString('base64'), [sealing], 'a:U1')).toBe('');
  for (let length = 0; length < bytes.length; length++)
    expect(() => unseal(bytes.subarray(0, length).toString('base64'), [sealing], 'a:U1')).toThrow();
});
