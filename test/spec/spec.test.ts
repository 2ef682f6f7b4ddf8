import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runScript } from '../support/run-script.ts';
import { openQuint, refusedOf } from './quint.ts';

// `npm run test:spec` checks the page as it is. The simulation has a clock of its own, so it is a process of its own.

const check = (...args: string[]) => runScript(join(import.meta.dirname, 'main.ts'), ...args);

test('the specification without the second look at votes no longer holds its promises', {
  timeout: 600_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'hostler-page-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const page = join(folder, 'request.qnt');
  await cp(join(import.meta.dirname, '../../spec/request.qnt'), page);
  const whole = await readFile(page, 'utf8');
  const broken = whole
    .replace('bot.write == "pending", saysYes,', 'bot.write == "pending",')
    .replace('saysYes, become', 'become');
  expect(broken.length).toBe(whole.length - ' saysYes,'.length - 'saysYes, '.length);
  await writeFile(page, broken);
  const { code, text } = await check('--page', page, '--runs', '300', '--traces', '0', '--histories', '0');
  expect(text).toContain('violation');
  expect(code).not.toBe(0);
});

test('the specification refuses a history of the engine with a forbidden action', { timeout: 600_000 }, async () => {
  const quint = await openQuint();
  onTestFinished(() => quint.close());
  const look = ['lookAtVote("lead")', 'lookAtVote("reader")', 'lookAtFreezes'];
  const asked = ['ask', 'approve("lead")', 'approve("reader")', 'decide'];
  const allowed = [...asked, ...look, 'begin', 'send', 'arrive(true)', 'accept', 'settle("done")', 'finish'];
  const forbidden: Readonly<Record<string, readonly string[]>> = {
    'sent twice': allowed.toSpliced(allowed.indexOf('accept'), 0, 'arrive(true)'),
    'sent after one vote': allowed.filter((action) => action !== 'approve("reader")'),
    'sent without a second look at the votes': allowed.filter((action) => !action.startsWith('lookAtVote')),
    'sent under a freeze': allowed.toSpliced(allowed.indexOf('lookAtFreezes'), 0, 'freeze'),
    'done, and nothing was sent': [...asked, ...look, 'begin', 'finish'],
    'an answer that was lost is called done': [...allowed.slice(0, -4), 'lose', 'settle("done")', 'finish'],
  };
  const names = ['allowed', ...Object.keys(forbidden)];
  const refused = await refusedOf(quint, [allowed, ...Object.values(forbidden)]);
  expect(refused.map((n) => names[n])).toEqual(Object.keys(forbidden));
});
