import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { says, type View } from '../../../src/core/view/view.ts';
import { connected, eventually, type FakeAnswers, refreshing, test } from '../support.ts';

// A chart stands among the words of its answer, wherever the answer goes. It is uploaded once; where Slack refuses it,
// the bot sends it as a file, or leaves it out of an answer that is complete without it.

const ops = { channel: 'C0OPS00001', kind: 'channel' } as const;

const words = 'CPU: mean 30 %\n[memory]';
const withChart = 'CPU: mean 30 %\n(image: Curve of the CPU)\n[memory]';

const chart: View = {
  summary: 'cpu',
  parts: [
    { kind: 'text', text: 'CPU: mean 30 %' },
    { kind: 'picture', file: 'cpu.png', alt: 'Curve of the CPU' },
    { kind: 'buttons', buttons: [{ label: 'memory', intent: { do: 'run', line: 'stats web-1 memory' } }] },
  ],
  files: [{ name: 'cpu.png', title: 'cpu', alt: 'Curve of the CPU', bytes: Uint8Array.from([1]) }],
};

test('an answer for all shows a chart, which is uploaded once', async ({ slack, side }) => {
  slack.sim.delayPictures(1);
  await side.messenger.answer(ops, 'U0LEAD0001', chart);
  expect(slack.sim.messages('#ops').map((message) => slack.sim.plainText(message))).toEqual([withChart]);
  expect(slack.sim.files().map(({ shares }) => shares)).toEqual([[]]);
});

test('where Slack refuses a chart, or its upload, the file comes below the answer', async ({ slack, side }) => {
  slack.sim.refuseBlocks({ type: 'image' });
  await side.messenger.answer(ops, 'U0LEAD0001', chart);
  slack.sim.clearFaults();
  slack.sim.fault({ method: 'files.getUploadURLExternal', errorCode: 'internal_error', count: 1 });
  await side.messenger.answer(ops, 'U0LEAD0001', chart);
  const texts = slack.sim.messages('#ops').map((message) => slack.sim.plainText(message).split('\n').at(-1));
  expect(texts).toEqual(['[memory]', '(file: cpu)', '[memory]', '(file: cpu)']);
});

type Slack = Awaited<ReturnType<typeof connected>>['slack'];

/** An engine that answers each click with the chart, in place of its message. */
const replacing = refreshing((messenger, request) => messenger.replace(request, chart));

async function clickAfterwards(slack: Slack, where: '#ops' | 'dm') {
  await slack.sim.say('operator', where, where === 'dm' ? 'stats web-1' : '/host stats web-1');
  const shown = () =>
    where === 'dm' ? slack.sim.messages(slack.sim.openDm('operator').id) : slack.sim.ephemerals('operator');
  const old = await slack.sim.waitFor(() => shown().find((message) => message.text === 'old'));
  await slack.sim.click('operator', { channel: old.channel, ts: old.ts, label: 'Refresh' });
  await eventually(() => shown().every((message) => message.text !== 'old'));
  return shown().map((message) => slack.sim.plainText(message));
}

test('an answer that replaces an earlier one in direct messages shows its chart', async () => {
  const { slack } = await connected(replacing);
  expect((await clickAfterwards(slack, 'dm')).at(-1)).toBe(withChart);
});

/** An engine that answers a line with a dialog, and each click in it with the chart in the same dialog. */
const inDialog: Parameters<typeof connected>[0] = {
  engine: ({ messenger }): FakeAnswers => ({
    acknowledge: ({ ask }) => (ask.kind === 'line' ? 'with-form' : 'now'),
    form: async () => ({
      view: says('Which one?', [{ label: 'web-1', intent: { do: 'run', line: 'stats web-1' } }]),
      session: 'session-7',
    }),
    handle: ({ place, actor }) => messenger.postEphemeral(place, actor, chart),
  }),
};

async function openDialog(slack: Slack): Promise<void> {
  await slack.sim.say('operator', '#ops', '/host stats');
  await slack.sim.waitFor((sim) => sim.viewText('operator').includes('web-1') || undefined);
  await slack.sim.click('operator', { label: 'web-1' });
  await slack.sim.waitFor((sim) => sim.viewText('operator').includes('mean 30') || undefined);
}

/** Each opens the answer in its place; the answer is what the person sees of it. */
const places: Readonly<Record<string, () => Promise<{ slack: Slack; answered: () => Promise<string | undefined> }>>> = {
  'a private answer': async () => {
    const { slack, side } = await connected();
    const answered = async () => {
      await side.messenger.postEphemeral(ops, 'U0OPERAT01', chart);
      return slack.sim.plainText(slack.sim.ephemerals('operator').at(-1) ?? expect.fail('no private message'));
    };
    return { slack, answered };
  },
  'an answer that replaces an earlier one': async () => {
    const { slack } = await connected(replacing);
    return { slack, answered: async () => (await clickAfterwards(slack, '#ops')).at(-1) };
  },
  'an answer in a dialog': async () => {
    const { slack } = await connected(inDialog);
    const answered = async () => {
      await openDialog(slack);
      return slack.sim.viewText('operator');
    };
    return { slack, answered };
  },
};

test.each(Object.entries(places))('%s shows its chart, or says that it is in a direct message', async (_, open) => {
  const shown = await open();
  shown.slack.sim.delayPictures(1);
  expect(await shown.answered()).toContain(withChart);
  expect(shown.slack.sim.files().map(({ shares }) => shares)).toEqual([[]]);
  const { slack, answered } = await open();
  slack.sim.refuseBlocks({ type: 'image' });
  const said = await answered();
  expect(said).toContain('The chart is in the bot’s direct messages to you');
  expect(said).not.toContain('(image');
  const dm = slack.sim.openDm('operator').id;
  await eventually(() => slack.sim.messages(dm).some((message) => slack.sim.plainText(message) === '(file: cpu)'));
});

/** The chart repeats the words. */
const aside: View = {
  ...chart,
  parts: chart.parts.map((part) => (part.kind === 'picture' ? { ...part, isAside: true } : part)),
};

test('an answer that is complete without its chart goes without it where Slack refuses it, and sends no file', async () => {
  const { slack, side } = await connected();
  await side.messenger.answer(ops, 'U0LEAD0001', aside);
  slack.sim.refuseBlocks({ type: 'image' });
  await side.messenger.answer(ops, 'U0LEAD0001', aside);
  await side.messenger.postEphemeral(ops, 'U0LEAD0001', aside);
  slack.sim.clearFaults();
  slack.sim.fault({ method: 'files.getUploadURLExternal', errorCode: 'internal_error', count: 1 });
  await side.messenger.answer(ops, 'U0LEAD0001', aside);
  const said = [...slack.sim.messages('#ops'), ...slack.sim.ephemerals('lead')];
  expect(said.map((message) => slack.sim.plainText(message))).toEqual([withChart, words, words, words]);
  expect(slack.sim.messages(slack.sim.openDm('lead').id)).toEqual([]);
});

test('an answer that is complete without its chart does not wait long for a slow upload', async ({ slack, side }) => {
  slack.sim.fault({ method: 'files.getUploadURLExternal', delayMs: 9_000, count: 1 });
  const answered = side.messenger.answer(ops, 'U0LEAD0001', aside).then(() => 'answered');
  expect(await Promise.race([answered, setTimeout(8_000, 'waits for the upload', { ref: false })])).toBe('answered');
  expect(slack.sim.messages('#ops').map((message) => slack.sim.plainText(message))).toEqual([words]);
});

test('a dialog that opens with an answer shows its chart', async () => {
  const { slack } = await connected({
    engine: () => ({ acknowledge: () => 'with-form', form: async () => ({ view: aside }) }),
  });
  await slack.sim.say('operator', '#ops', '/host status web-1');
  await slack.sim.waitFor((sim) => sim.viewText('operator').includes('mean 30') || undefined);
  expect(slack.sim.viewText('operator')).toContain(withChart);
});
