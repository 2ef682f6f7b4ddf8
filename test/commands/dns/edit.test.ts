import { expect, test } from 'vitest';
import { startTestBot } from '../../support/test-bot.ts';

test('dns edit without a change offers its form with the record in it, in a channel', async () => {
  const bot = await startTestBot();
  await bot.say('operator', 'dns edit example.com www A');
  await bot.settle();
  expect(bot.story()).toMatchInlineSnapshot(`
    "(only @operator) What should change in www A 192.0.2.10? Give host=, type=, value=, ttl= or prio=, or fill in the form.
    [Edit…]"
  `);
  const form = await bot.open('operator', { button: 'Edit…' });
  const shown =
    'fields' in form ? form.fields.map((field) => `${field.name}: ${'initial' in field ? field.initial : ''}`) : [];
  expect(shown.slice(1)).toEqual([
    'record: 5',
    'host: www',
    'type: A',
    'value: 192.0.2.10',
    'ttl: 300',
    '@at: ',
    '@reason: ',
  ]);
  const values = { domain: ['example.com'], record: '5', host: 'www', type: 'A', ttl: '300' };
  expect(await bot.submit('operator', form, { ...values, value: 'shop.example.com' })).toMatchObject({
    kind: 'errors',
    errors: { value: '`shop.example.com` is not an IPv4 address. To point at a name the type is CNAME.' },
  });
  expect(await bot.submit('operator', form, { ...values, value: '192.0.2.11' })).toEqual({ kind: 'accepted' });
  await bot.settle();
  expect(bot.story()).toContain('− www  A  192.0.2.10  ttl 300\n+ www  A  192.0.2.11  ttl 300');
});
