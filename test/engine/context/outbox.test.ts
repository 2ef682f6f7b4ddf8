import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { View } from '../../../src/core/view/view.ts';
import { createOutbox, type PutMessage } from '../../../src/engine/context/outbox.ts';
import type { Store } from '../../../src/store/database.ts';
import { openAlone } from '../../store/conformance.ts';
import { engines } from '../../support/database/databases.ts';

// The rows of messages, their notifications, and the time of a claim.

const view: View = { summary: 'a view', parts: [] };
const message: PutMessage = { key: 'one', channel: 'C1', view };
const rowOfMessage = { key: 'one', channel: 'C1', view: JSON.stringify(view) };

/** An outbox on a store in memory, which records its calls and gives the answers of the test. */
function open(answers: Record<string, unknown> = {}, { isHeard = true }: { isHeard?: boolean } = {}) {
  vi.useFakeTimers({ now: 0 });
  onTestFinished(() => void vi.useRealTimers());
  const calls: unknown[][] = [];
  const heard: unknown[][] = [];
  const asked =
    (name: string) =>
    async (...given: unknown[]) => {
      calls.push([name, ...given]);
      const answer = answers[name];
      if (answer instanceof Error) throw answer;
      return answer;
    };
  const names = ['put', 'find', 'claimDue', 'delivered', 'postpone', 'dead', 'dueInMs'];
  const store = {
    messages: Object.fromEntries(names.map((name) => [name, asked(name)])),
    cards: {
      put: async (id: string, draw: (rows: object) => unknown) => {
        calls.push(['card', id, draw({ of: id })]);
        return answers.card;
      },
    },
    operations: { insert: asked('insert') },
  };
  const writer = createOutbox(
    // The functions of the store that an outbox uses.
    store as unknown as Store,
    {
      owner: 'me',
      onUndeliverable: async (...given) => void heard.push(['undeliverable', ...given]),
      ...(isHeard && { onChange: (...given: unknown[]) => void heard.push(['changed', ...given]) }),
    },
  );
  const unsubscribe = writer.outbox.onNudge(() => heard.push(['nudged']));
  return { writer, outbox: writer.outbox, calls, heard, answers, unsubscribe };
}

const changed = (...given: unknown[]) => [['nudged'], ['changed', ...given]];

describe('a message that is stored', () => {
  test('has no files, and notifies the sender and the listener', async () => {
    const { writer, calls, heard } = open({ put: true });
    const files = [{ name: 'a.png', title: 'a picture', alt: 'a picture', bytes: new Uint8Array(3) }];
    await writer.put({ ...message, view: { ...view, files } });
    expect(calls).toEqual([['put', rowOfMessage]]);
    expect(heard).toEqual(changed('one'));
  });

  test('names its thread and its parent in its row, and notifies nobody when it did not change', async () => {
    const { writer, calls, heard } = open({ put: false });
    await writer.put({ ...message, parentKey: 'card:op1', threadTs: '1.0' });
    expect(calls).toEqual([['put', { ...rowOfMessage, parentKey: 'card:op1', threadTs: '1.0' }]]);
    expect(heard).toEqual([]);
  });
});

describe('a card that is stored', () => {
  const operation = { id: 'op1' };
  const draw = (rows: object) => [{ ...message, key: JSON.stringify(rows) }];

  test('is drawn from its rows, and notifies the sender and the listener', async () => {
    const { writer, calls, heard } = open({ card: { isChanged: true, operation } });
    expect(await writer.putCard('op1', draw)).toBe(operation);
    expect(calls).toEqual([['card', 'op1', [{ ...rowOfMessage, key: '{"of":"op1"}' }]]]);
    expect(heard).toEqual(changed('card:op1', operation));
  });

  test('notifies nobody when it did not change, is not drawn, or its request is gone', async () => {
    const { writer, calls, heard, answers } = open({ card: { isChanged: false, operation } });
    expect(await writer.putCard('op1', () => undefined)).toBe(operation);
    expect(calls).toEqual([['card', 'op1', undefined]]);
    answers.card = undefined;
    expect(await writer.putCard('op1', draw)).toBeUndefined();
    expect(heard).toEqual([]);
  });
});

describe('a request that is stored with its card', () => {
  const given = [{ id: 'op1' }, [{ n: 0 }], message, { id: 'op0' }] as unknown as Parameters<
    ReturnType<typeof createOutbox>['putNew']
  >;

  test.each([true, false])('notifies the sender and the listener when it is new: %s', async (isNew) => {
    const { writer, calls, heard } = open({ insert: isNew });
    expect(await writer.putNew(...given)).toBe(isNew);
    expect(calls).toEqual([['insert', given[0], given[1], [rowOfMessage], given[3]]]);
    expect(heard).toEqual(isNew ? changed('one') : []);
  });
});

test('a posted message is found with its view; an unposted or unknown message is not found', async () => {
  const { writer, answers } = open({ find: { channel: 'C1', ts: '1.0', view: JSON.stringify(view) } });
  expect(await writer.posted('one')).toEqual({ channel: 'C1', ts: '1.0', view });
  answers.find = { channel: 'C1', ts: null, view: JSON.stringify(view) };
  expect(await writer.posted('one')).toBeUndefined();
  answers.find = undefined;
  expect(await writer.posted('one')).toBeUndefined();
});

test.each(['null', '"summary"', '7', '{"parts":[]}'])('a row whose view is %s is not shown', async (stored) => {
  const { writer } = open({ find: { channel: 'C1', ts: '1.0', view: stored } });
  await expect(writer.posted('one')).rejects.toThrow('Invalid input');
});

const claimed = { ...rowOfMessage, threadTs: null, parentTs: '1.0', ts: null, wanted: 2, attempts: 3 };

describe('claimed messages', () => {
  test('belong to the process for half a minute, with all facts for their delivery', async () => {
    const { outbox, calls } = open({ claimDue: [claimed, { ...claimed, key: 'two', threadTs: '2.0', ts: '3.0' }] });
    const one = { key: 'one', channel: 'C1', threadTs: '1.0', ts: null, view, version: 2, attempts: 3 };
    expect(await outbox.claim(10, ['C2'])).toEqual([one, { ...one, key: 'two', threadTs: '2.0', ts: '3.0' }]);
    expect(calls).toEqual([['claimDue', 'me', 30_000, 10, ['C2']]]);
    expect(outbox.claimMs).toBe(30_000);
  });

  test.each([
    ['delivered', ['one', 2, '1.0', true]],
    ['postpone', ['one', 500, 'ratelimited']],
    ['dead', ['one', 'is_archived']],
  ] as const)('have their end noted with "%s"', async (name, given) => {
    const { outbox, calls, heard } = open({ claimDue: [claimed], delivered: true });
    await outbox.claim(10);
    if (name === 'delivered') await outbox.delivered(...given);
    if (name === 'postpone') await outbox.postpone(...given);
    if (name === 'dead') await outbox.undeliverable(...given);
    expect(calls.at(-1)).toEqual([name, ...given]);
    // A reply to the delivered message may be due now; an undeliverable message has a listener.
    const hears = { delivered: [['nudged']], postpone: [], dead: [['undeliverable', ...given]] };
    expect(heard).toEqual(hears[name]);
  });

  test('notify nobody of an end that could not be noted', async () => {
    const { outbox, heard, answers } = open({ claimDue: [claimed] });
    await outbox.claim(10);
    for (const name of ['delivered', 'dead']) answers[name] = new Error('lost');
    await expect(outbox.delivered('one', 2, '1.0')).rejects.toThrow('lost');
    await expect(outbox.undeliverable('one', 'is_archived')).rejects.toThrow('lost');
    expect(heard).toEqual([]);
  });
});

test('a sender is notified of changes until it unsubscribes, and can ask when the next message is due', async () => {
  const { writer, outbox, heard, unsubscribe } = open({ put: true, dueInMs: 1_234 }, { isHeard: false });
  unsubscribe();
  await writer.put(message);
  expect(heard).toEqual([]);
  expect(await outbox.nextDueInMs()).toBe(1_234);
});

test.each(engines)('on %s, of two processes that post a message, the later one learns of its copy', async (engine) => {
  const clock = { at: 1_800_000_000_000 };
  const { store } = await openAlone(engine, { now: () => clock.at });
  const [mine, other] = ['mine', 'other'].map(
    (owner) => createOutbox(store, { owner, onUndeliverable: async () => {} }).outbox,
  );
  if (mine === undefined || other === undefined) throw new Error('two processes');
  await store.messages.put({ key: 'card', channel: 'C1', view: '{"summary":"a view"}' });
  expect(await mine.claim(10)).toHaveLength(1);
  expect(await other.claim(10)).toEqual([]);
  // The process hangs for as long as its claim lasts.
  clock.at += mine.claimMs;
  expect(await other.claim(10)).toHaveLength(1);
  expect(await other.delivered('card', 1, '2.0')).toBe(true);
  expect(await mine.delivered('card', 1, '1.0')).toBe(false);
  // The answer to the first call may be lost.
  expect(await other.delivered('card', 1, '2.0')).toBe(true);
  expect(await store.messages.find('card')).toMatchObject({ ts: '2.0', state: 'delivered' });
  expect(await mine.delivered('pruned', 1, '1.0')).toBe(true);
});
