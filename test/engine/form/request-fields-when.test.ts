import { expect } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { hour, minute } from '../../../src/core/text/words.ts';
import type { Form, FormValues } from '../../../src/core/view/form.ts';
import type { View } from '../../../src/core/view/view.ts';
import type { SubmitAnswer } from '../../../src/engine/context/ports.ts';
import { ops, opsGroup } from '../../support/bot/fake-slack.ts';
import { usualPolicy } from '../../support/bot/policy.ts';
import { startTestBot, test } from '../../support/bot/test-bot.ts';
import { newestRow } from '../time/hours.ts';
import { confirm, formIn, idOf, requested, submitAndSettle } from '../told.ts';

// The hour of a request, in its form and in the typed line.

const policy = policySchema.parse({
  ...usualPolicy(opsGroup),
  windows: { maintenance: 'sun 02:00-05:00 Africa/Abidjan' },
});
const servers = ['web-1'];
const instant = (ms: number) => new Date(ms).toISOString();
const fieldsOf = (form: Form | View) =>
  formIn(form).fields.flatMap((field) =>
    field.name.startsWith('@') ? [[field.name, 'initial' in field ? field.initial : undefined]] : [],
  );
const nextOf = (answer: SubmitAnswer) => {
  if (answer.kind !== 'next') throw new Error(`no next page: ${answer.kind}`);
  return answer.form;
};
const optionsOf = (form: Form | View) =>
  formIn(form).fields.flatMap((field) => (field.name === '@when' && 'options' in field ? field.options : []));

test('When shows the fields of the chosen way, and a past hour is refused under its field', async () => {
  const bot = await startTestBot({ policy });
  const form = await bot.open('operator', { line: 'restart web-1' });
  expect(fieldsOf(form)).toEqual([
    ['@when', 'now'],
    ['@reason', undefined],
  ]);
  const labels = optionsOf(form).map(({ label }) => label);
  expect(labels).toEqual(['Now', 'At an hour', 'Every day or week', 'In a maintenance window']);
  const at = nextOf(await bot.submit('operator', form, { servers, '@when': 'at' }));
  expect(fieldsOf(at).slice(0, -1)).toEqual([
    ['@when', 'at'],
    ['@at', undefined],
    ['@words', undefined],
  ]);
  const refused = (values: FormValues, page = at) =>
    bot.submit('operator', page, { servers, '@when': 'at', '@at': '', '@words': '', ...values });
  const far = instant(bot.now() + 100 * 24 * hour);
  expect(await refused({})).toMatchObject({ errors: { '@at': 'Fill this in, or choose another “When”.' } });
  expect(await refused({ '@at': instant(bot.now() - hour) })).toMatchObject({
    errors: { '@at': expect.stringMatching(/^\w{3} \w{3} \d+, \d\d:\d\d is past\. Choose a later hour\.$/) },
  });
  expect(await refused({ '@at': far })).toMatchObject({
    errors: { '@at': expect.stringContaining('at most 90 days') },
  });
  expect(await refused({ '@words': 'mañana' })).toMatchObject({
    errors: { '@words': '`mañana` is not a time. Write it like in 2h, tonight 02:00 or tomorrow 09:00.' },
  });
  const every = nextOf(await bot.submit('operator', at, { servers, '@when': 'every', '@at': '' }));
  const weekly = { '@when': 'every', '@every': 'mon 04:00', '@until': 'in 30 days', '@runs': '' };
  expect(await refused({ ...weekly, '@every': 'soon' }, every)).toMatchObject({
    errors: { '@every': expect.stringContaining('does not say days and an hour') },
  });
  expect(await refused({ ...weekly, '@until': 'christmas' }, every)).toMatchObject({
    errors: { '@until': expect.anything() },
  });
  expect(await refused({ ...weekly, '@runs': '1000' }, every)).toMatchObject({
    errors: { '@runs': expect.anything() },
  });
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
});

test('the form shows what an hour in words means before it requests, and an hour of a picker needs no look', async () => {
  const bot = await startTestBot({ policy });
  const form = await bot.open('operator', { line: 'restart web-1' });
  const look = nextOf(await bot.submit('operator', form, { servers, '@when': 'at', '@words': 'tomorrow 9am' }));
  expect(look).toMatchObject({ submit: 'Request' });
  expect(look.notes.at(-1)).toMatch(/^⏳ Begins \w{3} \w{3} \d+ 9:00 AM$/);
  const [, [, tomorrow]] = fieldsOf(look) as [unknown, [string, number]];
  await submitAndSettle(bot, 'operator', look, { servers, '@when': 'at', '@at': instant(tomorrow), '@words': '' });
  expect(await newestRow(bot)).toMatchObject({ startsAt: tomorrow, begins: { kind: 'at' } });
  const other = await bot.open('operator', { line: 'restart db-1 window=maintenance' });
  expect(other).toMatchObject({
    notes: [expect.anything(), expect.stringMatching(/^⏳ maintenance opens (Sun [^,]+ \d+:00 AM(, )?){3}$/)],
  });
  await submitAndSettle(bot, 'operator', other, { servers: ['db-1'], '@when': 'window', '@window': 'maintenance' });
  expect((await newestRow(bot)).begins).toMatchObject({ kind: 'window', window: { name: 'maintenance' } });
  const now = await bot.open('operator', { line: 'restart web-2 in 2h' });
  await submitAndSettle(bot, 'operator', now, { servers: ['web-2'], '@when': 'now', '@at': '', '@words': '' });
  expect(await newestRow(bot)).toMatchObject({ startsAt: null, begins: { kind: 'now' } });
});

test('a form of an earlier version, without the choice, asks for its hour', async () => {
  const bot = await startTestBot({ policy });
  const at = Math.ceil((bot.now() + 2 * hour) / minute) * minute;
  await submitAndSettle(bot, 'operator', await bot.open('operator', { line: 'restart web-1' }), {
    ...{ servers, '@at': instant(at), '@window': '-' },
  });
  expect(await newestRow(bot)).toMatchObject({ startsAt: at, begins: { kind: 'at' } });
});

test('the form of a typed line has its hours, and asks for the same when it is sent unchanged', async ({ bot }) => {
  const form = await bot.open('operator', {
    line: 'restart web-1 every="mon 04:00 Asia/Tokyo" until="in 30 days" runs=4',
  });
  const fields = { '@when': 'every', '@every': 'mon 04:00 Asia/Tokyo', '@until': 'in 30 days', '@runs': '4' };
  expect(fieldsOf(form)).toEqual([...Object.entries(fields), ['@reason', undefined]]);
  expect(formIn(form).notes.at(-1)).toMatch(/^⏳ Runs (\w{3} \w{3} \d+ \d+:00 [AP]M, ){3}… \(mon 04:00 Asia\/Tokyo\)$/);
  await submitAndSettle(bot, 'operator', form, { servers, ...fields });
  expect((await newestRow(bot)).begins).toMatchObject({ kind: 'weekly', words: fields['@every'], mostRuns: 4 });
  const past = await bot.open('operator', { line: 'restart web-1 at="2020-01-01 09:00"' });
  expect(fieldsOf(past)[1]).toEqual(['@at', expect.any(Number)]);
  expect(formIn(past).notes).toContainEqual(expect.arrayContaining([expect.stringContaining('is past')]));
  for (const line of ['restart web-1 later', 'reinstall staging-1 debian-12 later'])
    expect(fieldsOf(await bot.open('operator', { line }))[0]).toEqual(['@when', 'at']);
  const once = await bot.open('operator', { line: 'reinstall staging-1 debian-12' });
  expect(optionsOf(once).map(({ value }) => value)).toEqual(['now', 'at']);
});

test('"Schedule…" of a waiting card requests the same at an hour in its place, for people who may replace it', async () => {
  const bot = await requested('restart web-1 because it leaks');
  const refused = await bot.open('reader', { button: 'Schedule…' });
  expect(JSON.stringify(refused)).toContain('can replace this request');
  const form = await bot.open('operator', { button: 'Schedule…' });
  expect(fieldsOf(form)).toEqual([
    ['@when', 'at'],
    ['@at', undefined],
    ['@words', undefined],
    ['@reason', 'it leaks'],
  ]);
  const at = Math.ceil((bot.now() + 2 * hour) / minute) * minute;
  const values = { servers, '@when': 'at', '@words': '', '@reason': 'it leaks' };
  expect(await bot.submit('operator', form, { ...values, '@at': '' })).toMatchObject({
    errors: { '@at': expect.anything() },
  });
  await submitAndSettle(bot, 'operator', form, { ...values, '@at': instant(at) });
  const rows = await bot.store.operations.list({ limit: 5 });
  expect(rows.map(({ state }) => state).sort()).toEqual(['waiting', 'withdrawn']);
  expect(await newestRow(bot)).toMatchObject({ state: 'waiting', startsAt: at });
});

test('"Move…" takes an hour in words, and its errors are under the field that they are about', async ({ bot }) => {
  await confirm(bot, 'operator', 'restart web-1 in 2h');
  const { startsAt } = await newestRow(bot);
  const form = await bot.open('operator', { button: 'Move…' });
  const picked = instant(startsAt ?? 0);
  expect(fieldsOf(form)).toEqual([
    ['@at', startsAt],
    ['@words', undefined],
  ]);
  expect(await bot.submit('operator', form, { '@at': instant(bot.now() - hour), '@words': '' })).toMatchObject({
    errors: { '@at': expect.stringMatching(/is past\. Choose a later hour\.$/) },
  });
  expect(await bot.submit('operator', form, { '@at': picked, '@words': 'yesterday' })).toMatchObject({
    errors: { '@words': '`yesterday` is past. Write it like tomorrow, in 2h or tonight 02:00.' },
  });
  await submitAndSettle(bot, 'operator', form, { '@at': picked, '@words': 'in 5h' });
  expect((await newestRow(bot)).startsAt).toBeGreaterThan((startsAt ?? 0) + 2 * hour);
});

test('without the time zone in Slack, an hour is refused and an instant is taken', async ({ bot }) => {
  bot.zoneless.add(idOf('operator'));
  await bot.say('operator', 'restart web-1 at="tomorrow 22:00"');
  await bot.until(() => bot.story().includes('Slack did not say your time zone: write the hour like '), 'the refusal');
  expect(await bot.store.operations.list({ limit: 1 })).toEqual([]);
  await confirm(bot, 'operator', `restart web-1 at=${new Date(bot.now() + hour).toISOString().slice(0, 16)}Z`);
  expect(await newestRow(bot)).toMatchObject({ state: 'scheduled', channel: ops });
});
