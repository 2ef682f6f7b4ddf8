import { expect } from 'vitest';
import { answerTo, confirm, pressAndSettle } from '../../engine/told.ts';
import { startTestBot } from '../../support/bot/test-bot.ts';
import { answer } from '../answer.ts';
import { openDns, sayRefusal, test } from './open.ts';

test('dns undo restores a changed record, and can be undone itself', async ({ dns }) => {
  await dns.done('dns set example.com www A 192.0.2.11 ttl=600');
  const planned = await dns.planOf('dns undo a7f3c2');
  expect(planned.plan.effect).toContain('www.example.com A answers 192.0.2.10 instead of 192.0.2.11. The old answer');
  expect(planned.plan.targets).toEqual([
    expect.objectContaining({ kind: 'domain', id: 'example.com', tags: ['prod'] }),
  ]);
  expect(await dns.done('dns undo a7f3c2', 'b8g4d3')).toMatchObject({ end: 'done' });
  expect(await dns.records('example.com', 'www')).toEqual(['www A 192.0.2.10 300']);
  await dns.done('dns undo b8g4d3', 'c9h5e4');
  expect(await dns.records('example.com', 'www')).toEqual(['www A 192.0.2.11 600']);
});

test('undoing a removal has its risk and restores all fields, and an undone undo is titled Redo', async ({ dns }) => {
  const before = await dns.records('example.com');
  await dns.done('dns remove example.com @ MX 20 backup-mx.example.net');
  const undo = await dns.planOf('dns undo a7f3c2');
  expect(undo.plan.raised).toEqual({ risk: 'destructive', why: 'It takes back a change that was destructive.' });
  expect(undo.plan.title).toBe('Undo: Remove MX example.com');
  expect(await dns.done('dns undo a7f3c2', 'b8g4d3')).toMatchObject({ end: 'done' });
  expect((await dns.records('example.com')).sort()).toEqual(before.sort());
  const redo = await dns.planOf('dns undo b8g4d3');
  expect(redo.plan.title).toBe('Redo: Remove MX example.com');
  await dns.done('dns undo b8g4d3', 'c9h5e4');
  expect((await dns.planOf('dns undo c9h5e4')).plan.title).toBe('Undo: Remove MX example.com');
});

test('dns undo removes an added record, also one that was removed and added again with another id', async ({ dns }) => {
  await dns.done('dns add example.com beta A 192.0.2.10');
  expect((await dns.planOf('dns undo a7f3c2')).plan.raised).toBeUndefined();
  await dns.done('dns remove example.com beta A', 'b8g4d3');
  await dns.done('dns add example.com beta A 192.0.2.10', 'c9h5e4');
  const { plan } = await dns.planOf('dns undo a7f3c2');
  // The record changed since: the undo has the risk of a removal, and says so.
  expect(plan.raised).toEqual({ risk: 'dangerous', why: 'It removes records.' });
  expect(plan.details).toContainEqual(['Note', 'A record of it was removed and added again since.']);
  expect(await dns.done('dns undo a7f3c2', 'd2j6f5')).toMatchObject({ end: 'done' });
  expect(await dns.records('example.com', 'beta')).toEqual([]);
  expect((await dns.planOf('dns undo a7f3c2')).plan.nothingToDo).toBeDefined();
});

test('dns undo removes a CNAME before it restores the records that it replaced', async ({ dns }) => {
  const text = await dns.reader.dns.zoneFile({ name: 'example.com' });
  const zone = `${text
    .split('\n')
    .filter((line) => !line.startsWith('mail\t'))
    .join('\n')}\nmail CNAME shop`;
  await dns.done(`dns apply example.com \`\`\`\n${zone}\n\`\`\``);
  expect(await dns.records('example.com', 'mail')).toEqual(['mail CNAME shop.example.com 3600']);
  expect(await dns.done('dns undo a7f3c2', 'b8g4d3')).toMatchObject({ end: 'done' });
  const seen = (await dns.records('example.com', 'mail')).sort();
  expect(seen).toEqual(['mail A 203.0.113.25 3600', 'mail AAAA 2001:db8:25::25 3600']);
});

test('dns undo reverts the finished steps of a plan that stopped', async ({ dns }) => {
  dns.sim.fault(answer('PUT /dns/domain/{name}/entry_set/{id}/', 409, { detail: 'Locked.' }, 1));
  const ran = await dns.done('dns apply example.com ```\nnew A 192.0.2.1\nwww A 192.0.2.11\n``` --keep');
  expect(ran.end).toBe('failed');
  const { plan } = await dns.planOf('dns undo a7f3c2');
  expect(plan.steps.map((step) => step.label)).toEqual(['− new A 192.0.2.1']);
});

test('dns undo refuses to overwrite a later change, and names it', async ({ dns }) => {
  await dns.done('dns set example.com www A 192.0.2.11');
  const id = await dns.idOf('example.com', 'www', 'A');
  dns.sim.records({ domain: 'example.com', set: [{ id, value: '192.0.2.77' }] });
  expect(sayRefusal(await dns.refusalOf('dns undo a7f3c2'))).toBe(
    'operation: example.com changed since "Change A www.example.com": www A 192.0.2.11 ttl 300 is now www A 192.0.2.77 ttl 300. Nothing was put back. Use dns edit for what should be different.\n[Show the records → dns list example.com]',
  );
  dns.sim.records({ domain: 'example.com', remove: [id] });
  expect((await dns.refusalOf('dns undo a7f3c2')).message).toContain('www A 192.0.2.11 was removed');
  await dns.done('dns remove example.com api A', 'b8g4d3');
  dns.sim.records({ domain: 'example.com', add: [{ host: 'api', type: 'CNAME', value: 'shop.example.com' }] });
  expect((await dns.refusalOf('dns undo b8g4d3')).message).toContain(
    'api A 192.0.2.10 cannot come back: api.example.com is a CNAME',
  );
});

test('dns undo does not run when a record changed after the card was shown', async ({ dns }) => {
  await dns.done('dns set example.com www A 192.0.2.11');
  const planned = await dns.planOf('dns undo a7f3c2');
  dns.sim.records({ domain: 'example.com', set: [{ id: await dns.idOf('example.com', 'www', 'A'), ttl: 900 }] });
  await expect(dns.run(planned)).rejects.toThrow('changed since');
});

test('dns undo is refused after a day, during the run, and for other kinds of requests', async ({ dns }) => {
  await dns.done('dns set example.com www A 192.0.2.11', 'olds', Date.now() - 25 * 3_600_000);
  expect(sayRefusal(await dns.refusalOf('dns undo olds'))).toContain('more than 24 hours ago');
  await dns.done('dns set example.com api A 192.0.2.11', 'runs');
  const running = dns.remembered.get('runs');
  if (running) dns.remembered.set('runs', { ...running, state: 'running', endedAt: null });
  expect((await dns.refusalOf('dns undo runs')).message).toContain('has not ended yet');
  await dns.done('dns domain-remove example.net', 'gone');
  expect((await dns.refusalOf('dns undo gone')).message).toContain('There is no change of records gone');
  expect((await dns.refusalOf('dns undo ????')).message).toContain('does not fit');
});

test('a person who may not change the domain does not learn that there was a change', async () => {
  const may = { now: true };
  const dns = await openDns({ may: () => may.now });
  await dns.done('dns set example.com www A 192.0.2.11');
  may.now = false;
  const refusal = sayRefusal(await dns.refusalOf('dns undo a7f3c2'));
  expect(refusal).toBe(sayRefusal(await dns.refusalOf('dns undo zzzzzz')).replace('zzzzzz', 'a7f3c2'));
});

test('dns undo alone lists what can be undone, newest first, and each button undoes its change', async () => {
  const bot = await startTestBot();
  const undo = (user = 'operator') => answerTo(bot, user, 'dns undo');
  expect(await undo()).toContain('There is nothing to undo');
  await confirm(bot, 'operator', 'dns add example.com beta A 192.0.2.10', 'dns add example.com gamma A 192.0.2.10');
  const list = await undo();
  expect(list).toContain('Which change should be undone?');
  expect(list).toContain('[Undo: Add A gamma.example.com] [Undo: Add A beta.example.com]');
  await bot.press('operator', 'Undo: Add A beta.example.com');
  await pressAndSettle(bot, 'operator', 'Confirm');
  const rest = await undo();
  expect(rest).toContain('[Redo: Add A beta.example.com] [Undo: Add A gamma');
  expect(rest).not.toContain('[Undo: Add A beta');
  expect(await undo('reader')).not.toContain('Which change');
});
