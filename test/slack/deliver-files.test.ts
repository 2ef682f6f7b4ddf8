import { expect } from 'vitest';
import type { View } from '../../src/core/view/view.ts';
import { connected, delivered, eventually, says, test } from './support.ts';

// The file of a large difference belongs to the message that announces it: it is uploaded with the post of that message,
// never with an edit.

const ops = 'C0OPS00001';
const difference: View = {
  summary: 'Each change:',
  parts: [
    { kind: 'text', text: 'Each change:' },
    { kind: 'code', text: '+ www A 192.0.2.66\n'.repeat(1_000), isFile: true },
  ],
};

type Connected = Awaited<ReturnType<typeof connected>>;
const uploads = ({ slack }: Connected) => slack.sim.requests('files.completeUploadExternal').length;

/** Waits for a later message of the same channel, before which an upload would have begun. */
async function afterLater(bench: Connected): Promise<void> {
  await delivered(bench.outbox, 'later', ops, says('later'));
  await bench.connection.stop();
}

test('a file is uploaded once, however often its card and its message are drawn', async ({ opened: bench }) => {
  await delivered(bench.outbox, 'card', ops, says('card'));
  const ts = bench.outbox.row('card')?.ts ?? '';
  bench.outbox.put('file', ops, difference, ts);
  await eventually(() => uploads(bench) === 1);
  bench.outbox.put('card', ops, says('card, approved'));
  bench.outbox.put('file', ops, { ...difference, summary: 'Each change, again:' });
  await eventually(() => bench.outbox.row('card')?.delivered === 2 && bench.outbox.row('file')?.delivered === 2);
  await afterLater(bench);
  expect(uploads(bench)).toBe(1);
  expect(bench.slack.sim.requests('files.completeUploadExternal')[0]?.args).toMatchObject({ thread_ts: ts });
});

test('the message of a new card brings its own file', async ({ opened: bench }) => {
  for (const key of ['file:first', 'file:second']) bench.outbox.put(key, ops, difference);
  await eventually(() => uploads(bench) === 2);
  await afterLater(bench);
  expect(uploads(bench)).toBe(2);
});

test('a file whose upload fails is not uploaded again, and a message says so', async ({ opened: bench }) => {
  bench.slack.sim.fault({ method: 'files.completeUploadExternal', errorCode: 'internal_error', count: 1 });
  bench.outbox.put('file', ops, difference);
  await bench.slack.sim.waitFor('could not be uploaded', { channel: '#ops' });
  await afterLater(bench);
  expect(uploads(bench)).toBe(1);
});

test.each([
  ['was killed', true],
  ['lost its database for as long as its claim', false],
])('after a process that %s between the post and its note, the file is uploaded once', async (_, isKilled) => {
  let skippedMs = 0;
  const bench = await connected({ now: () => Date.now() + skippedMs });
  const { outbox, slack } = bench;
  const { delivered } = outbox;
  let failures = 0;
  Object.assign(outbox, {
    delivered: async (...given: Parameters<typeof delivered>) => {
      if (failures > 0) return delivered(...given);
      failures += 1;
      skippedMs = 31_000;
      throw new Error('the database does not answer');
    },
  });
  outbox.put('file', ops, difference);
  await eventually(() => failures === 1);
  await eventually(() => bench.log.lines.some(({ text }) => text.includes('it stays in the outbox')));
  expect(uploads(bench)).toBe(0);
  if (isKilled) await bench.connection.stop();
  Object.assign(outbox.row('file') ?? {}, { claimedUntil: 0 });
  if (isKilled) await bench.side.connect(bench.engine, outbox, []);
  else outbox.put('nudge', ops, says('nudge'));
  await eventually(() => outbox.row('file')?.delivered === 1);
  await eventually(() => uploads(bench) > 0);
  expect(slack.sim.requests('files.completeUploadExternal')).toHaveLength(1);
});
