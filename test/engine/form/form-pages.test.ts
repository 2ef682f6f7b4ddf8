import { expect } from 'vitest';
import type { Form, FormValues } from '../../../src/core/view/form.ts';
import type { View } from '../../../src/core/view/view.ts';
import { type TestBot, test } from '../../support/bot/test-bot.ts';
import { textOf } from '../../support/bot/view-text.ts';
import { answerTo, formIn, nextPage, submitAndSettle, suggested } from '../told.ts';

// Forms that fill themselves in from what is chosen, page by page.

const namesIn = (form: Form | View) => formIn(form).fields.map(({ name }) => name);

const pageAfter = (bot: TestBot, form: Form | View, values: FormValues) => nextPage(bot, 'operator', form, values);

test('cancel alone offers the orders that can be canceled, and says where a request is called off', async ({ bot }) => {
  bot.sim.order({ order: '34-12380', cancel_mark: true });
  bot.sim.order({ order: '34-12399', status: 'canceled' });
  expect(await answerTo(bot, 'operator', 'cancel')).toContain('A request is called off on its card.\n[Fill in]');
  const form = await bot.open('operator', { line: 'cancel' });
  expect(form).toMatchObject({ title: 'End an order', fields: [{ label: 'Order', widget: 'search' }, {}, {}, {}, {}] });
  const offered = (await suggested(bot, 'operator', form, 'live-orders')).map(({ label }) => label);
  expect(offered).toEqual(
    expect.arrayContaining([expect.stringContaining('staging-1'), expect.stringContaining('example.com')]),
  );
  expect(offered.join()).not.toMatch(/vpn-1|web-2/);
});

test('the form of a reinstall offers the templates that the server can run, however it was given', async ({ bot }) => {
  const suggest = async (form: Form | View) =>
    (await suggested(bot, 'operator', form, 'templates', 'debian')).map(({ label }) => label);
  const x86 = ['Debian 12', 'Debian 13', 'Debian 12 + ISPmanager'];
  const first = await bot.open('operator', { line: 'reinstall' });
  expect(namesIn(first)).toEqual(['server']);
  const next = await pageAfter(bot, first, { server: ['34-12345'] });
  expect(namesIn(next)).toEqual(['template', 'app', 'snapshot', 'ssh_keys', '@when', '@reason']);
  expect(await suggest(next)).toEqual(x86);
  for (const word of ['web-1', '34-12345', '192.0.2.10']) {
    const form = await bot.open('operator', { line: `reinstall ${word}` });
    expect(form, word).toMatchObject({ notes: [expect.stringContaining('step 2 of 2'), 'For web-1 (34-12345)'] });
    expect(await suggest(form), word).toEqual(x86);
  }
  const unknown = await bot.open('operator', { line: 'reinstall web-77' });
  expect(namesIn(unknown)).toEqual(['server']);
});

test('a form of several pages goes back to the page with the error and keeps what was filled in', async ({ bot }) => {
  const start = () => bot.open('operator', { line: 'create' });
  const filledIn = (form: Form | View, name: string) =>
    formIn(form).fields.find((field) => field.name === name) ?? 'no such field';
  expect(await bot.submit('operator', await start(), { hardware: 'plan' })).toEqual({
    kind: 'errors',
    errors: { plan: 'Something is needed here: a plan, or cores, memory and disk.' },
  });
  const sizes = await pageAfter(bot, await start(), { hardware: 'sizes' });
  expect(namesIn(sizes)).toEqual(['cpu', 'ram', 'disk', 'arch', 'frequency']);
  const second = await pageAfter(bot, sizes, { cpu: '2', ram: '4', disk: '40' });
  expect(textOf(second.notes[1] ?? '')).toBe(
    'So far: 2 cores, 4 GB memory, 40 GB disk · price unknown: the API has no price for the configuration · balance € 84.20 now, at most € 84.20 after',
  );
  // The template is for arm, the server x86_64: the last page shows the error.
  const third = await pageAfter(bot, second, { template: ['8'] });
  const back = await pageAfter(bot, third, { name: 'web-4', location: ['de'] });
  expect(back).toMatchObject({
    notes: [
      '🟡 Debian 12 arm is made for arm, and the server would be x86_64. Choose another template, or set arch.',
      'Paid from the balance · step 3 of 4',
      expect.anything(),
    ],
  });
  const last = await pageAfter(bot, back, { template: ['2'] });
  expect(filledIn(last, 'name')).toMatchObject({ initial: 'web-4' });
  // An error that belongs to no field closes the form, and a button opens it again with its values.
  bot.sim.balance({ balance: 0 });
  const one = await pageAfter(bot, await start(), { hardware: 'plan', plan: ['101'] });
  const page3 = await pageAfter(bot, one, { template: ['2'] });
  expect(await submitAndSettle(bot, 'operator', page3, { name: 'web-5', location: ['de'] })).toEqual({
    kind: 'accepted',
  });
  expect(bot.story()).toMatch(/This costs € 3.50 now, and the balance does not cover it(.*\n)+\[Open the form again\]/);
  const again = await bot.open('operator', { button: 'Open the form again' });
  expect(filledIn(again, 'template')).toMatchObject({ initial: [{ value: '2', label: '2' }] });
});

test('the form of create shows the price before the name, and rare options only on request', async ({ bot }) => {
  const upToName = async () => {
    const first = formIn(await bot.open('operator', { line: 'create' }));
    expect(first.notes).toHaveLength(1);
    const images = await pageAfter(bot, first, { hardware: 'plan', plan: ['101'] });
    expect(images.notes.map(textOf)[1]).toBe(
      'So far: Cloud NVMe 1 · price € 3.50 a month · balance € 84.20 now, € 80.70 after',
    );
    const next = await pageAfter(bot, images, { template: ['2'] });
    expect(next.notes.map(textOf)[1]).toMatch(/^So far: Cloud NVMe 1 · price € 3\.50 a month/);
    return next;
  };
  // The value that Slack sends for a box that is not ticked.
  const named = { name: 'web-8', location: ['de'], more: 'no' };
  const shown = await pageAfter(bot, await upToName(), named);
  expect(shown.submit).toBe('Request');
  expect(shown.notes.map(textOf).join('\n')).toMatch(/Price: € 3\.50.*\n(.*\n)*Balance: /);
  expect(bot.posted.filter(({ key }) => key.startsWith('card:'))).toEqual([]);
  expect(await submitAndSettle(bot, 'operator', shown, named)).toEqual({ kind: 'accepted' });
  expect(bot.story()).toContain('Create web-8');
  const more = await pageAfter(bot, await upToName(), { ...named, name: 'web-9', more: 'yes' });
  expect(namesIn(more)).toContain('bandwidth');
  // The form does not depend on it.
  const first = await bot.open('operator', { line: 'create' });
  bot.sim.fault({ kind: 'answer', status: 503, body: { detail: 'away' } });
  const images = await pageAfter(bot, first, { hardware: 'plan', plan: ['101'] });
  expect(images.notes).toHaveLength(1);
});

test('create like a server fills in the form from its order, and refuses a line without more', async ({ bot }) => {
  const form = formIn(await bot.open('operator', { line: 'create like=db-1 name=db-3' }));
  expect(form.notes.map(textOf)[1]).toMatch(/^So far: Cloud NVMe 4 · /);
  const page = await pageAfter(bot, form, { template: ['2'] });
  const initial = (name: string) => JSON.stringify(page.fields.find((field) => field.name === name));
  expect(initial('name')).toContain('db-3');
  expect(initial('tags')).toContain('"db prod"');
  await bot.say('operator', 'create like=db-1 plan=102 template="Debian 13" location=de name=db-3');
  expect(bot.transcript()).toContain('this line leaves nothing to fill in');
  const own = formIn(await bot.open('operator', { line: 'create like=db-1 name=db-3 plan=101' }));
  expect(own.notes.map(textOf)[1]).toMatch(/^So far: Cloud NVMe 1 · /);
  const none = await bot.open('operator', { line: 'create like=nothing-such' });
  expect(JSON.stringify(none)).toContain('There is no server called nothing-such.');
});
