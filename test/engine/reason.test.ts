import { expect, it } from 'vitest';
import { startTestBot } from '../support/test-bot.ts';

// The dialog of a command that others may have to approve asks why, as `because …` does behind a typed line.

const fieldsOf = (form: object) =>
  'fields' in form && Array.isArray(form.fields) ? form.fields.map(({ label }: { label: string }) => label) : [];

it('a typed reason is filled into the form, and the reason of the form is on the card', async () => {
  const bot = await startTestBot({ replicas: 1 });
  const form = await bot.open('operator', { line: 'hard-reset web-1 because no ping' });
  if (!('fields' in form)) throw new Error('no form');
  expect(form.fields.at(-1)).toMatchObject({ label: 'Reason', optional: true, initial: 'no ping' });
  expect(await bot.submit('operator', form, { server: 'web-1', '@reason': 'no ping since 4:20' })).toEqual({
    kind: 'accepted',
  });
  await bot.until(() => bot.transcript().includes('“no ping since 4:20” — '), 'the reason on the card');
});

it('only the form of a disruptive command has a Reason field, and only one', async () => {
  const bot = await startTestBot({ replicas: 1 });
  expect(fieldsOf(await bot.open('operator', { line: 'stats' }))).not.toContain('Reason');
  expect(fieldsOf(await bot.open('operator', { line: 'tag add' }))).not.toContain('Reason');
  expect(fieldsOf(await bot.open('operator', { line: 'stop' }))).toContain('Reason');
  expect(fieldsOf(await bot.open('operator', { line: 'freeze' })).filter((label) => label === 'Reason')).toHaveLength(
    1,
  );
});
