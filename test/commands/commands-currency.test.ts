import { expect, test } from 'vitest';
import { openCommandRunner } from '../support/bot/run-command.ts';
import { planText, viewText } from '../support/bot/view-text.ts';
import { answer } from './answer.ts';
import { commandsCalled } from './commands-called.ts';

const commands = commandsCalled('catalog', 'create', 'ds', 'keep', 'order', 'orders', 'project', 's3');

/** Runs each line in an account with this answer about the balance. */
async function saidIn(status: number, body: object): Promise<readonly (readonly [price: string, words: string])[]> {
  const { sim, ask } = await openCommandRunner({ commands });
  sim.order({ order: '34-12345', cancel_mark: true });
  sim.fault(answer('GET /account/balance', status, body));
  const all: [string, string][] = [];
  for (const [line, price] of lines) {
    const asked = await ask(line);
    if (asked.kind === 'refused') throw asked.error;
    all.push([price, asked.kind === 'plan' ? planText(asked.plan) : viewText(asked.view)]);
  }
  return all;
}

const lines: [line: string, price: string][] = [
  ['order web-1', '5.50 a month'],
  ['orders', '5.50 a month'],
  ['orders', 'a month · read'],
  ['keep web-1', '5.50 a month'],
  ['project list', 'Internal (2)'],
  ['project show Website', 'a month'],
  ['s3 list', 'a month'],
  ['s3 show media', 'a month'],
  ['ds list', '27 a month'],
  ['ds show files-1', '27 a month'],
  ['plans', '5.50 │'],
  ['create name=web-9 plan="Cloud NVMe 2" template="Debian 13" location=de', '5.50 a month'],
];

test('each command says what is paid in the currency of the account', async () => {
  for (const [price, words] of await saidIn(200, { balance: 9_000, currency: 'RUB' })) {
    expect(words).toContain(price);
    expect(words).toMatch(/RUB \d/);
    expect(words).not.toContain('€');
  }
});

test('no command names a currency while the balance cannot be read', async () => {
  for (const [price, words] of await saidIn(403, { detail: 'You do not have permission to perform this action.' })) {
    expect(words).toContain(price);
    expect(words).not.toMatch(/€|undefined/);
  }
});
