import { expect } from 'vitest';
import { refreshButton, says, type View } from '../../src/core/view/view.ts';
import { connected, eventually, refreshing, test, whispered } from './support.ts';

const ops = { channel: 'C0OPS00001', kind: 'channel' } as const;

test('a private answer is shown in its thread when somebody has replied there; an answer for all begins the thread', async () => {
  const { slack, side } = await connected();
  const thread = (await slack.sim.say('lead', '#ops', 'hello')).ts ?? '';
  await side.messenger.postEphemeral(ops, 'U0LEAD0001', says('only you'));
  await side.messenger.postEphemeral({ ...ops, thread, isThreadEmpty: true }, 'U0LEAD0001', says('only you, too'));
  await side.messenger.answer({ ...ops, thread, isThreadEmpty: true }, 'U0LEAD0001', says('for all'));
  expect(slack.sim.messages('#ops').at(-1)).toMatchObject({ text: 'for all', threadTs: thread });
  await side.messenger.postEphemeral({ ...ops, thread }, 'U0LEAD0001', says('only you, here'));
  expect(slack.sim.ephemerals('lead').map((message) => [message.text, message.threadTs])).toEqual([
    ['only you', undefined],
    ['only you, too', undefined],
    ['only you, here', thread],
  ]);
});

test('without the bot in the channel five answers use the response_url; later ones, and those of Home, are direct messages', async () => {
  const { slack, side } = await connected({
    engine: ({ messenger }) => ({ handle: ({ place, actor }) => messenger.answer(place, actor, says('first')) }),
  });
  await slack.sim.say('operator', '#random', '/host list');
  await whispered(slack, 'operator', '/invite');
  const random = { channel: 'C0RANDOM01', kind: 'channel' } as const;
  for (let n = 2; n <= 6; n += 1) await side.messenger.postEphemeral(random, 'U0OPERAT01', says(`private ${n}`));
  expect(slack.sim.ephemerals('operator')).toHaveLength(5);
  expect(slack.sim.messages(slack.sim.openDm('operator').id).map((message) => message.text)).toEqual(['private 6']);
  await side.messenger.postEphemeral(random, 'U0LEAD0001', says('never typed anything here'));
  await side.messenger.answer({ channel: '', kind: 'home' }, 'U0LEAD0001', says('from Home'));
  const toLead = slack.sim.messages(slack.sim.openDm('lead').id).map((message) => message.text);
  expect(toLead).toEqual(['never typed anything here', 'from Home']);
});

test('a private answer that Slack does not confirm goes another way: twice, not never', async ({ slack, side }) => {
  await slack.sim.say('operator', '#ops', '/host list');
  slack.sim.fault({ method: 'chat.postEphemeral', isAnswerLost: true, count: 1 });
  await side.messenger.postEphemeral(ops, 'U0OPERAT01', says('taken, and not confirmed'));
  slack.sim.fault({ method: 'chat.postEphemeral', status: 503, count: 1 });
  await side.messenger.postEphemeral(ops, 'U0OPERAT01', says('not taken'));
  const texts = slack.sim.ephemerals('operator').map(({ text }) => text);
  expect(texts).toEqual(['taken, and not confirmed', 'taken, and not confirmed', 'not taken']);
});

test('a private answer that cannot be in its thread says which thread it belongs to', async ({ slack, side }) => {
  const random = { channel: 'C0RANDOM01', kind: 'channel' } as const;
  const root = await slack.sim.say('lead', '#random', 'web-1 is slow');
  const thread = root.ts ?? '';
  await slack.sim.say('operator', '#random', '/host list');
  await side.messenger.postEphemeral({ ...random, thread }, 'U0OPERAT01', says('over the command'));
  await side.messenger.postEphemeral({ ...random, thread }, 'U0LEAD0001', says('directly'));
  const said = [...slack.sim.ephemerals('operator'), ...slack.sim.messages(slack.sim.openDm('lead').id)];
  expect(said).toHaveLength(2);
  for (const message of said) {
    expect(message.threadTs).toBeUndefined();
    expect(slack.sim.plainText(message)).toContain('This belongs to the thread in which it was asked.');
    expect(JSON.stringify(message)).toContain(`slack.com/archives/C0RANDOM01/p${thread.replace('.', '')}`);
  }
});

test('in a conversation of two people the answer points to the bot’s direct messages, since the bot cannot be invited there', async () => {
  const { slack } = await connected({
    engine: ({ messenger }) => ({
      handle: ({ place, actor, ask }) =>
        ask.kind === 'line' && ask.line === 'balance'
          ? messenger.postEphemeral(place, actor, says('€ 12'))
          : messenger.answer(place, actor, says('web-1 is on')),
    }),
  });
  const members = ['U0OPERAT01', 'U0LEAD0001'];
  slack.sim.addChannel({ id: 'D0TWOPEOPLE', name: 'two', kind: 'im', members });
  for (const [line, words] of Object.entries({ list: 'web-1 is on', balance: '€ 12' })) {
    await slack.sim.say('operator', 'D0TWOPEOPLE', `/host ${line}`);
    const said = await whispered(slack, 'operator', words ?? '');
    expect(slack.sim.plainText(said)).toContain('Ask it in your own direct message with it.');
    expect(slack.sim.plainText(said)).not.toContain('/invite');
  }
  await slack.sim.say('operator', 'dm', '/host list');
  await slack.sim.waitFor((sim) => sim.transcript('dm', 'operator').includes('web-1 is on') || undefined);
  expect(slack.sim.transcript('dm', 'operator')).not.toContain('Only you see this');
});

test('a picture is posted with its answer, in the thread, with a description in words', async ({ slack, side }) => {
  const root = await slack.sim.say('lead', '#ops', 'stats?');
  const bytes = Uint8Array.from([137, 80, 78, 71]);
  const view: View = {
    ...says('cpu of web-1'),
    files: [{ name: 'cpu.png', title: 'CPU', alt: 'CPU between 3 and 40 %', bytes }],
  };
  await side.messenger.answer({ ...ops, thread: root.ts ?? '' }, 'U0LEAD0001', view);
  const [file] = slack.sim.files();
  expect(file).toMatchObject({
    name: 'cpu.png',
    title: 'CPU',
    altText: 'CPU between 3 and 40 %',
    shares: [{ channel: ops.channel, threadTs: root.ts }],
  });
  expect(slack.sim.fileContent(file?.id ?? '')).toEqual(Buffer.from(bytes));
});

const code = Array.from({ length: 900 }, (_, n) => `record-${n} 3600 IN A 192.0.2.${n % 256}`).join('\n');
const zone: View = { summary: 'The zone', parts: [{ kind: 'code', text: code }] };

test('a text that is too long for a message is cut, and posted in full as a file', async ({ slack, side }) => {
  await side.messenger.answer(ops, 'U0LEAD0001', zone);
  expect(slack.sim.fileContent(slack.sim.files()[0]?.id ?? '').toString()).toBe(code);
  expect(slack.sim.transcript('#ops')).toMatch(/Not shown, because it is too much for one message: \d+ lines/);
});

const clickable = (text: string) => says(text, [refreshButton('list')]);

test('a click replaces its own message, when that is private or a direct message, and no other message', async () => {
  const replaced: boolean[] = [];
  const { slack, side } = await connected(
    refreshing(async (messenger, request) =>
      replaced.push(await messenger.replace(request, clickable(`new ${replaced.length + 1}`))),
    ),
  );
  await slack.sim.say('operator', '#ops', '/host list');
  await slack.sim.say('operator', '#ops', '/host status');
  const [first, second] = await slack.sim.waitFor((sim) => {
    const found = sim.ephemerals('operator');
    return found.length === 2 ? found : undefined;
  });
  for (const [n, message] of [first, second, first].entries()) {
    await slack.sim.click('operator', { channel: '#ops', ts: message?.ts ?? '', label: 'Refresh' });
    await eventually(() => replaced.length === n + 1);
  }
  expect(slack.sim.ephemerals('operator').map(({ text }) => text)).toEqual(['new 3', 'new 2']);
  await slack.sim.say('operator', 'dm', '/host list');
  const dm = await slack.sim.waitFor((sim) => sim.messages(sim.openDm('operator').id)[0]);
  await slack.sim.click('operator', { channel: dm.channel, ts: dm.ts, label: 'Refresh' });
  await eventually(() => replaced.length === 4);
  expect(slack.sim.messages(dm.channel).map(({ text }) => text)).toEqual(['new 4']);
  expect(replaced).toEqual([true, true, true, true]);
  // Without the click the bot has no message to replace.
  const unheard = { id: 'other', place: ops, actor: 'U0OPERAT01' };
  expect(await side.messenger.replace(unheard, says('never'))).toBe(false);
});

test('a message is no longer replaced after its response_url was used five times', async () => {
  const replaced: boolean[] = [];
  const { slack } = await connected(
    refreshing(async (messenger, request) => {
      for (let n = 1; n <= 6; n += 1) replaced.push(await messenger.replace(request, clickable(`new ${n}`)));
    }),
  );
  await slack.sim.say('operator', '#ops', '/host list');
  const message = await slack.sim.waitFor((sim) => sim.ephemerals('operator')[0]);
  await slack.sim.click('operator', { channel: '#ops', ts: message.ts, label: 'Refresh' });
  await eventually(() => replaced.length === 6);
  expect(replaced).toEqual([true, true, true, true, true, false]);
  expect(slack.sim.ephemerals('operator').map(({ text }) => text)).toEqual(['new 5']);
});

const withFile: View = {
  ...says('cpu'),
  files: [{ name: 'a.png', title: 'a', alt: 'a', bytes: Uint8Array.from([1]) }],
};

test('the file of a private answer is sent as a direct message, and the answer says so', async ({ slack, side }) => {
  await side.messenger.postEphemeral(ops, 'U0LEAD0001', withFile);
  const [said] = slack.sim.ephemerals('lead').map((message) => slack.sim.plainText(message));
  expect(said).toContain('The file is in the bot’s direct messages to you.');
  await side.messenger.postEphemeral(ops, 'U0LEAD0001', zone);
  const dm = slack.sim.openDm('lead').id;
  expect(slack.sim.files().map(({ shares }) => shares[0]?.channel)).toEqual([dm, dm]);
  expect(slack.sim.fileContent(slack.sim.files()[1]?.id ?? '').toString()).toBe(code);
});

test('an answer that goes another way has its file once, in the direct messages', async ({ slack, side }) => {
  const dm = slack.sim.openDm('operator').id;
  const shares = () => slack.sim.files().map((file) => file.shares[0]?.channel);
  slack.sim.addChannel({ id: 'D0TWOPEOPLE', name: 'two', kind: 'im', members: ['U0OPERAT01', 'U0LEAD0001'] });
  await side.messenger.postEphemeral({ channel: 'D0TWOPEOPLE', kind: 'dm' }, 'U0OPERAT01', withFile);
  expect(shares()).toEqual([dm]);
  await slack.sim.say('operator', '#random', '/host list');
  await side.messenger.answer({ channel: 'C0RANDOM01', kind: 'channel' }, 'U0OPERAT01', withFile);
  expect(slack.sim.ephemerals('operator')).toHaveLength(1);
  expect(shares()).toEqual([dm, dm]);
});

test('a long text that is answered over a response_url has its file in the direct messages', async () => {
  const { slack } = await connected({
    engine: ({ messenger }) => ({ handle: ({ place, actor }) => messenger.postEphemeral(place, actor, zone) }),
  });
  await slack.sim.say('operator', '#random', '/host list');
  await whispered(slack, 'operator', 'record-0');
  await eventually(() => slack.sim.files().length === 1);
  expect(slack.sim.fileContent(slack.sim.files()[0]?.id ?? '').toString()).toBe(code);
});

test('when Slack refuses a file, the answer is posted and says that the file is missing', async ({ slack, side }) => {
  slack.sim.fault({ method: 'files.completeUploadExternal', errorCode: 'internal_error' });
  await side.messenger.answer(ops, 'U0LEAD0001', withFile);
  expect(slack.sim.messages('#ops')).toHaveLength(2);
  expect(slack.sim.messages('#ops')[1]?.text).toContain('could not be uploaded to Slack');
});

test('an invalid user id with half of an emoji is refused by Slack, and is no error of the bot', async ({ side }) => {
  await expect(side.messenger.postEphemeral(ops, 'U0\ud83d', says('hello'))).rejects.toThrow('Slack refused');
});

test('hostile names are shown as plain text, everywhere', async ({ slack, side }) => {
  const marked = ['<!channel>', '<@U0LEAD0001>', '<https://evil.example|web-1>', '*bold* `code` _it_', '```'];
  const names = [...marked, 'web\u202e1-bew', 'a\u200bb', ':rotating_light:'];
  for (const name of names) {
    const said = [name, ' is on, says ', { user: 'U0ADMIN001' }] as const;
    await side.messenger.answer(ops, 'U0LEAD0001', {
      summary: name,
      parts: [
        { kind: 'heading', text: name },
        { kind: 'text', text: said },
        { kind: 'fields', fields: [[name, said]] },
        { kind: 'context', text: said },
        { kind: 'notice', tone: 'warning', text: said },
        { kind: 'table', columns: [{ name }], rows: [[name], [said]] },
        { kind: 'code', text: name },
        { kind: 'buttons', buttons: [{ label: name, intent: { do: 'run', line: 'list' } }] },
      ],
    });
  }
  await eventually(() => slack.sim.messages('#ops').length === names.length);
  for (const [index, message] of slack.sim.messages('#ops').entries()) {
    const name = names[index] ?? '';
    const sent = JSON.stringify(message);
    // Only the admin is mentioned, nobody is called, nothing is linked, and nothing invisible is left.
    expect(sent).not.toMatch(/broadcast|"type":"link"|[\u200b\u202e]/);
    expect(sent).not.toMatch(/"user_id":"(?!U0ADMIN001)/);
    expect(message.text).not.toContain('<');
    for (const each of markdowns(message.blocks)) {
      expect(each).not.toMatch(/<(?!@U0ADMIN001>)/);
      expect(each.replace('<@U0ADMIN001>', '')).not.toMatch(/[*_`~]|:[a-z_]+:/);
    }
    if (!/[\u200b\u202e]/.test(name)) expect(slack.sim.plainText(message)).toContain(name);
  }
});

/** The text of every mrkdwn object: only there does Slack read markup. */
function markdowns(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(markdowns);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && value.type === 'mrkdwn' && 'text' in value ? [String(value.text)] : [];
  return [...own, ...Object.values(value).flatMap(markdowns)];
}
