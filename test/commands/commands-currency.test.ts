import { expect, test } from 'vitest';
import { catalog } from '../../src/commands/catalog/catalog.ts';
import { dsList } from '../../src/commands/dedicated/list.ts';
import { dsShow } from '../../src/commands/dedicated/show.ts';
import { keep } from '../../src/commands/orders/keep.ts';
import { orders } from '../../src/commands/orders/list.ts';
import { order } from '../../src/commands/orders/show.ts';
import { projectList } from '../../src/commands/projects/list.ts';
import { projectShow } from '../../src/commands/projects/show.ts';
import { create } from '../../src/commands/servers/create.ts';
import { s3List } from '../../src/commands/storage/list.ts';
import { s3Show } from '../../src/commands/storage/show.ts';
import { openCommandRunner } from '../support/run-command.ts';
import { planText, viewText } from '../support/view-text.ts';

const commands = [catalog, create, dsList, dsShow, keep, order, orders, projectList, projectShow, s3List, s3Show];

/** Runs the line in an account with this answer about the balance. */
async function said(line: string, status: number, body: object): Promise<string> {
  const { sim, ask } = await openCommandRunner({ commands });
  sim.order({ order: '34-12345', cancel_mark: true });
  sim.fault({ kind: 'answer', match: 'GET /account/balance', status, body });
  const asked = await ask(line);
  if (asked.kind === 'refused') throw asked.error;
  return asked.kind === 'plan' ? planText(asked.plan) : viewText(asked.view);
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

test.each(lines)('%s says what is paid in the currency of the account', async (line, price) => {
  const words = await said(line, 200, { balance: 9_000, currency: 'RUB' });
  expect(words).toContain(price);
  expect(words).toMatch(/RUB \d/);
  expect(words).not.toContain('€');
});

test.each(lines)('%s names no currency while the balance cannot be read', async (line, price) => {
  const words = await said(line, 403, { detail: 'You do not have permission to perform this action.' });
  expect(words).toContain(price);
  expect(words).not.toMatch(/€|undefined/);
});
