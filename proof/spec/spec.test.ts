import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openPage, pagePath, refusedAt } from './page.ts';
import { visitAll } from './visit.ts';

// `npm --prefix proof run spec` visits the whole specification and plays it in the engine. Here it has one approver, for
// speed.

const page = await readFile(pagePath, 'utf8');
const small = [
  ['val needed = 2', 'val needed = 1'],
  ['people = Set("operator", "lead", "reader", "admin")', 'people = Set("operator", "lead")'],
  ['approvers: Set("operator", "lead", "reader", "admin")', 'approvers: Set("operator", "lead")'],
].reduce((text, [line = '', put = '']) => withLine(text, line, put), page);

function withLine(text: string, line: string, put: string): string {
  expect(text.split(line)).toHaveLength(2);
  return text.replace(line, put);
}

/** Lines that each keep a promise: without the line, a state that breaks the promise is reachable. */
const lines: readonly { readonly what: string; readonly line: string; readonly put: string; readonly last: string }[] =
  [
    {
      what: 'a write is sent twice',
      line: 'rows.state == "running", rows.write == "pending", saysYes(p)',
      put: 'rows.state == "running", saysYes(p)',
      last: 'arrive',
    },
    {
      what: 'votes are not looked at again',
      line: 'def saysYes(p) = memory.get(p).seen.size() >= needed and ',
      put: 'def saysYes(p) = ',
      last: 'arrive',
    },
    {
      what: 'whoever asked approves',
      line: 'rows.state == "waiting", world.approvers.contains(who), who != requester,',
      put: 'rows.state == "waiting",',
      last: 'arrive',
    },
    {
      what: 'a request is withdrawn while it runs',
      line: 'action withdraw = all { rows.state == "waiting", ',
      put: 'action withdraw = all { ',
      last: 'withdraw',
    },
    {
      what: 'a write that may still arrive is called failed',
      line: 'val hasFailed = not(world.isOnItsWay) and ',
      put: 'val hasFailed = ',
      last: 'finish',
    },
    {
      what: 'a write is called done without evidence',
      line: 'and { end == "done", world.job == "done" },',
      put: 'end == "done",',
      last: 'finish',
    },
  ];

for (const { what, line, put, last } of lines)
  test(`the specification breaks a promise when ${what}`, { timeout: 120_000 }, async () => {
    const { brokenAt, wayTo } = visitAll(await openPage(withLine(small, line, put)));
    expect(wayTo(brokenAt ?? 0).at(-1)).toMatch(new RegExp(`^${last}`));
  });

test('the specification keeps its promises with one approver, and allows each of its actions somewhere', {
  timeout: 120_000,
}, async () => {
  const whole = await openPage(small);
  const followed = new Set<string>();
  const nameOf = (action: string) => action.replace(/\(.*/, '');
  const { states, brokenAt } = visitAll(whole, {
    reached: () => {},
    followed: (_, action) => followed.add(nameOf(action)),
  });
  expect(brokenAt).toBeUndefined();
  expect(states).toBeGreaterThan(5_000);
  expect(followed).toEqual(new Set(whole.actions.map(nameOf)));
});

const votes = ['lookAtVote("first", "lead")', 'lookAtVote("first", "reader")'];
const looks = [...votes, 'lookAtFreezes("first")', 'lookAtServer("first")'];
const asked = ['ask', 'approve("lead")', 'approve("reader")', 'decide'];
const sent = [...asked, ...looks, 'begin("first")', 'send("first")'];
const lost = [...sent, 'giveUpWaiting', 'tellLost'];
const whole = [...sent, 'arrive(true)', 'accept("first")', 'endJob(true)', 'settle("done")', 'finish'];
const without = (start: string) => whole.filter((action) => !action.startsWith(start));
const before = (action: string, more: string) => whole.toSpliced(whole.indexOf(action), 0, more);

const allowed: Readonly<Record<string, readonly string[]>> = {
  'done in the usual order': whole,
  'arrived after its process was killed': [...lost, 'kill("first")', 'arrive(true)', 'endJob(true)', 'settle("done")'],
  'accepted after the other process gave up': [...lost, 'arrive(true)', 'accept("first")', 'goOn'],
};
const forbidden: Readonly<Record<string, readonly string[]>> = {
  'sent twice': before('arrive(true)', 'send("second")'),
  'arrived twice': before('accept("first")', 'arrive(true)'),
  'sent after one vote': without('approve("reader")'),
  'sent without a second look at the votes': without('lookAtVote'),
  'sent without a second look at the server': without('lookAtServer'),
  'sent under a freeze': before('lookAtFreezes("first")', 'freeze'),
  'sent after a stop': before('send("first")', 'stop'),
  'sent by a process that was started just now': before('send("first")', 'kill("first")'),
  'sent by a process that has seen nothing': whole.map((action) => action.replace('send("first")', 'send("second")')),
  'done, and nothing was sent': [...asked, ...looks, 'begin("first")', 'finish'],
  'called done, and it did not arrive': [...lost, 'settle("done")'],
  'called done, and its job failed': whole.map((action) => action.replace('endJob(true)', 'endJob(false)')),
  'called failed, and its job is open': [...lost, 'arrive(true)', 'settle("failed")'],
  'called failed, and it may still arrive': [...lost, 'settle("failed")'],
  'settled before people were told that the answer was lost': [...sent, 'giveUpWaiting', 'settle("unknown")'],
};

test('the specification refuses each history with a forbidden action, and only those', async () => {
  const checked = await openPage(page);
  for (const [name, actions] of Object.entries(allowed)) expect(refusedAt(checked, actions), name).toBeUndefined();
  for (const [name, actions] of Object.entries(forbidden)) expect(refusedAt(checked, actions), name).toBeDefined();
});

test('a specification that has a fault is not opened', async () => {
  await expect(openPage(withLine(page, 'val needed = 2', 'val needed = nobody'))).rejects.toThrow('nobody');
  await expect(openPage(withLine(page, 'val needed = 2', 'val needed = "two"'))).rejects.toThrow('type checking');
  await expect(openPage(withLine(page, 'stop, freeze,', 'stop, approve(nobody),'))).rejects.toThrow('nobody');
  await expect(
    openPage(withLine(page, 'nondet who = people.oneOf()', 'nondet who = 1.to(3).map(n => "lead").oneOf()')),
  ).rejects.toThrow('no set that is written out');
});
