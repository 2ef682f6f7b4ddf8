import { expect } from 'vitest';
import {
  ProviderError,
  providerErrorKinds,
  Refusal,
  refusalReasons,
  StoreUnavailable,
} from '../../../src/core/view/errors.ts';
import type { Button, View } from '../../../src/core/view/view.ts';
import { errorView, type Refused, refusalView } from '../../../src/engine/context/error-view.ts';
import { test } from '../../support/bot/test-bot.ts';
import { buttonsIn } from '../../support/bot/view-text.ts';

// Each refusal and each error has one button that helps.

const log = { debug() {}, info() {}, warn() {}, error() {} };
const line = 'restart web-1';
const known: readonly Refused[] = [{}, { line }, { operation: 'a7f3c2abde' }, { line: `${line} ${'x'.repeat(2_000)}` }];
const buttonsOf = ({ parts }: View): readonly Button[] => parts.flatMap(buttonsIn);

const helps = (view: View) => {
  const buttons = buttonsOf(view);
  expect(buttons).toHaveLength(1);
  expect(JSON.stringify(buttons[0]?.intent).length).toBeLessThan(2_000);
  return buttons[0];
};

test.each(refusalReasons)('a refusal because of %s has one button, with any facts about the request', (reason) => {
  for (const refused of known) helps(refusalView(new Refusal(reason, 'No.'), refused));
});

test.each([
  ...providerErrorKinds.map((kind) => new ProviderError(kind, 'GET /vps/', { words: 'Busy.' })),
  new StoreUnavailable('the database is locked'),
  new Error('a bug'),
])('the error %s has one button', (error) => {
  for (const refused of known) helps(errorView(error, 'Reading', log, refused));
});

test('without the database a read offers to try again, and a change names the requests', async ({ bot }) => {
  const away = () => Promise.reject(new StoreUnavailable('the database is away'));
  Object.assign(bot.store.values, { getText: away, listTexts: away });
  const answered = async (typed: string) => {
    await bot.say('operator', typed);
    const view = bot.posted.at(-1)?.view ?? { summary: '', parts: [] };
    return [view.parts, buttonsOf(view).map(({ label }) => label)];
  };
  expect(JSON.stringify(await answered('list'))).toContain('so nothing was read. Nothing was changed at the provider.');
  expect(await answered('list')).toEqual([expect.anything(), ['Try again']]);
  expect(await answered(line)).toEqual([expect.anything(), ['Show the requests']]);
});

const button = (reason: (typeof refusalReasons)[number], refused: Refused) =>
  helps(refusalView(new Refusal(reason, 'No.'), refused));

test('the button of a refusal repeats, fills in or explains the typed line', () => {
  expect(button('unavailable', { line })).toMatchObject({ label: 'Try again', intent: { do: 'run', line } });
  expect(button('bad_value', { line })).toMatchObject({ intent: { do: 'form', line }, opens: true });
  expect(button('not_granted', { line })).toMatchObject({ intent: { do: 'ask-access', line } });
  expect(button('posture', { line })).toMatchObject({ intent: { do: 'run', line: `why ${line}` } });
});

test('the button of a refused click opens the request', () => {
  const operation = 'a7f3c2abde';
  for (const reason of ['closed', 'not_yours', 'impossible'] as const)
    expect(button(reason, { operation })).toMatchObject({ intent: { do: 'review', operation } });
});

test('the button of a refusal sends no secret back to Slack', () => {
  const secret =
    'ssh-key add ada "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----"';
  expect(JSON.stringify(button('bad_value', { line: secret }))).not.toContain('MIIE');
});

test('a refusal with its own suggestions has no other button', () => {
  const own = new Refusal('not_found', 'No.', { suggestions: [{ label: 'All keys', command: 'ssh-key list' }] });
  expect(buttonsOf(refusalView(own, { line })).map(({ label }) => label)).toEqual(['All keys']);
});
