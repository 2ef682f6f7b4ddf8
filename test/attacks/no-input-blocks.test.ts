import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { emptyAccount } from '../../src/core/account/account.ts';
import { createServerFinder } from '../../src/core/account/servers-in-text.ts';
import { parse } from '../../src/core/grammar/parse.ts';
import { readHookBody } from '../../src/engine/hooks/hook-bodies.ts';
import { hookBodyMostBytes, readJson } from '../../src/engine/hooks/http.ts';
import { createLogger } from '../../src/log.ts';
import { decodeResponse, encodeQuestion } from '../../src/outside/message.ts';
import { readWords } from '../../src/provider/error-words.ts';
import { readPages } from '../../src/provider/pages.ts';
import { readEvent } from '../../src/slack/inbound/event.ts';
import { messageWords, textOfMessage } from '../../src/slack/inbound/message-text.ts';
import { readSubmission } from '../../src/slack/inbound/submission.ts';
import { people } from '../support/bot/fake-slack.ts';
import { openCommandRunner, zoneFile } from '../support/bot/run-command.ts';
import { startTestBot } from '../support/bot/test-bot.ts';
import { costOf } from '../support/suite/cost-of.ts';

// While the bot works on one input, it acknowledges nobody else: Slack waits three seconds. An input that is too large
// is refused by its size, before any work that grows faster than the size.

// The cost is compared with a fixed piece of work of the same run, so that a slow machine fails no test.
const mostCost = 6;

const expectCheap = async (work: () => unknown, most = mostCost) =>
  expect(await costOf(work, most)).toBeLessThanOrEqual(most);

describe('an error page of the provider', () => {
  test.each([
    ['2 MB of <', `<html>${'<'.repeat(2_000_000)}`],
    ['2 MB of <title', `<html>${'<title'.repeat(330_000)}`],
    ['2 MB of <script', `<html>${'<script '.repeat(250_000)}`],
    ['2 MB of &', `<html><p>${'&amp'.repeat(500_000)}`],
  ])('an HTML page with %s is read at once', async (_, page) => {
    await expectCheap(() => readWords('text/html', page, (text) => text));
  });

  test.each([
    ['12 kB of [', '['.repeat(12_000) + ']'.repeat(12_000)],
    ['as deep as may be read', '['.repeat(31_000) + ']'.repeat(31_000)],
    ['2 MB of fields', `{${Array.from({ length: 100_000 }, (__, n) => `"field${n}":["no"]`).join(',')}}`],
  ])('a JSON error, %s, is read at once and throws no RangeError', async (_, body) => {
    await expectCheap(() => readWords('application/json', body, (text) => text));
  });

  test('the title or the text of an HTML page is still read', () => {
    const said = (page: string) => readWords('text/html', page, (text) => text).words;
    expect(said('<html><title> Bad gateway </title><body>x</body>')).toBe('Bad gateway');
    expect(said('<html><style>p { color: red }</style><body><p>Down &amp; out</p> <b>for now</b>')).toBe(
      'Down & out for now',
    );
    expect(said('<html><p>cut <b')).toBe('cut');
  });
});

test('reading a list ends with an error at a page with a million items', async () => {
  const page = { count: 1_000_000, results: Array.from({ length: 1_000_000 }, () => 1), next: null };
  const transport = { baseUrl: 'https://api.example', send: async () => page };
  const first = { endpoint: 'GET /orders/', method: 'GET', path: '/orders/', effect: 'read', answers: 'json' } as const;
  const list = { transport, first, schema: z.unknown(), knownPages: new Map() };
  await expect(readPages(list)).rejects.toThrow('the list has more than 100000 items');
});

describe('the answer of a name server', () => {
  const question = { name: 'www.example.com', type: 'TXT' } as const;
  const name = (labels: number, label: string) =>
    Buffer.concat([...Array.from({ length: labels }, () => Buffer.from(label)), Buffer.of(0)]);
  /** 64 kB of records, each of which points to this name. */
  const answer = (owner: Buffer) => {
    const packet = Buffer.from(encodeQuestion(7, question) ?? []);
    const fixed = Buffer.of(0, 16, 0, 1, 0, 0, 1, 44, 0, 0);
    const pointer = Buffer.alloc(2);
    pointer.writeUInt16BE(0xc000 + packet.length);
    const more = Math.floor((65_535 - packet.length - owner.length - fixed.length) / 12);
    packet.writeUInt16BE(0x8400, 2);
    packet.writeUInt16BE(more + 1, 6);
    return Buffer.concat([packet, owner, fixed, ...Array.from({ length: more }, () => [pointer, fixed]).flat()]);
  };
  test.each([
    ['names of one label', name(1, '\x01a')],
    ['names of 60 labels', name(60, '\x01a')],
    ['names of 126 labels', name(126, '\x01a')],
    ['names of 126 labels of 63 dots', name(126, `\x3f${'.'.repeat(63)}`)],
  ])('64 kB with %s are refused at once', async (_, owner) => {
    const bytes = answer(owner);
    expect(bytes.length).toBeGreaterThan(60_000);
    // A name server has thousands of answers to one change, so one of them must cost much less than 50 ms.
    await expectCheap(() => decodeResponse(bytes, 7, question), 1);
  });
  test('as many records as are read, with the longest name, are read at once', async () => {
    const bytes = answer(name(126, '\x01a')).subarray(0, 6_000);
    bytes.writeUInt16BE(470, 6);
    expect(decodeResponse(bytes, 7, question)).toMatchObject({ kind: 'records' });
    await expectCheap(() => decodeResponse(bytes, 7, question));
  });
});

describe('a text from outside, as large as it may be', () => {
  const times = (text: string, length: number) => text.repeat(Math.floor(length / text.length));
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, 'v'.repeat(20)]));
  const firing = (count: number) => Array.from({ length: count }, () => ({ status: 'firing' }));
  const commonAnnotations = { a: times('a ', 100_000) };
  const [spaces, paths] = [times(' ', 60_000), times('://', 60_000)];
  const monitor = { name: `x${spaces}`, url: `https://${times('. ', 60_000)}` };
  test.each<readonly [string, 'alertmanager' | 'json' | 'kuma' | 'healthchecks', unknown]>([
    ['5,000 alerts with 100 kB in common', 'alertmanager', { commonAnnotations, alerts: firing(5_000) }],
    [
      '4,000 alerts with 4,000 fields in common',
      'alertmanager',
      { commonLabels: fields(4_000), alerts: firing(4_000) },
    ],
    ['7,000 labels of one alert', 'alertmanager', { alerts: [{ status: 'firing', labels: fields(7_000) }] }],
    ['5,000 alerts that do not fit', 'json', { alerts: firing(5_000) }],
    ['60 kB of spaces in each field', 'kuma', { heartbeat: { status: 0, msg: spaces }, monitor, msg: '' }],
    ['60 kB of paths in each field', 'healthchecks', { name: paths, status: 'down', desc: paths, tags: paths }],
  ])('a hook with %s is read at once', async (_, kind, body) => {
    const bytes = Buffer.from(JSON.stringify({ status: 'firing', ...(body as object) }));
    expect(bytes.length).toBeLessThanOrEqual(hookBodyMostBytes);
    // Thousands of alerts are read in slices.
    await expectCheap(() => readHookBody(kind, bytes), 3 * mostCost);
  });
  test('a hook of 250 kB of brackets is refused before it is parsed, and brackets in a text count for nothing', async () => {
    const nested = (depth: number) => Buffer.from(`{"msg":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(readJson(nested(99))).toBeDefined();
    expect(readJson(nested(100))).toBeUndefined();
    const why = 'the body is not JSON, or its brackets nest deeper than 100';
    expect(await readHookBody('json', nested(100))).toEqual({ ok: false, why });
    expect(readJson(Buffer.from(JSON.stringify([[], ['a"['.repeat(500)], []])))).toHaveLength(3);
    expect(readJson(Buffer.from(JSON.stringify(Array.from({ length: 500 }, () => [{}]))))).toHaveLength(500);
  });
  const signs = ['a ', '::1 ', '192.0.2.1 ', '<@U', '&amp;', '<http://a|b', '`', ' '];
  test.each(signs)('names of servers are found at once in 250 kB of %j', async (sign) => {
    const find = createServerFinder(emptyAccount);
    await expectCheap(() => find(times(sign, 250_000)), 2);
  });
  test.each(signs)('a message, a mention and a form of Slack with 250 kB of %j are read at once', async (sign) => {
    const text = times(sign, 250_000);
    const attachments = Array.from({ length: 100 }, () => ({ text: text.slice(0, 3_000) }));
    const event = { event_id: 'Ev1', event: { type: 'app_mention', user: 'U1', channel: 'C1', ts: '1.1', text } };
    const view = { id: 'V1', state: { values: { a·why: { e: { type: 'plain_text_input', value: text } } } } };
    await expectCheap(() => {
      textOfMessage(messageWords.parse({ text, attachments, blocks: [{ text }] }));
      readEvent(event, { botUserId: 'UBOT' }, { now: 0, slackAheadMs: 0 });
      readSubmission({ user: { id: 'U1' }, view }, 0);
    });
  });
});

describe('a log line', () => {
  const logged = (fields: object, message: string) => {
    const lines: string[] = [];
    const stream = new Writable({
      write: (chunk, _, next) => {
        lines.push(String(chunk));
        next();
      },
    });
    createLogger({ level: 'info', secrets: ['s3cret-canary'], stream }).info(fields, message);
    return lines.join('');
  };

  test.each([
    ['a.a.a…', 'a.'.repeat(500_000)],
    ['one scheme after another', 'a://'.repeat(250_000)],
    ['Basic and spaces', `Basic${' '.repeat(1_000_000)}`],
    ['xoxb-xoxb-…', 'xoxb-'.repeat(200_000)],
  ])('a log line of 1 MB is written at once: %s', async (_, text) => {
    await expectCheap(() => logged({ text }, text));
  });

  test.each([7_900, 7_990, 7_995, 8_000, 8_010])('a log line cut at %i characters shows no part of a secret', (at) => {
    const token = ['xoxb', '123456789012', 'abcdefghijkl'].join('-');
    for (const secret of ['s3cret-canary', token, 'postgres://hostler:hunter2hunter2@db/x']) {
      const line = logged({}, `${'x '.repeat(at / 2 - 6)}${secret} ${'y '.repeat(4_000)}`);
      for (let length = 8; length <= secret.length; length++)
        expect(line.replace('postgres://hostler', '')).not.toContain(
          secret.replace('postgres://hostler', '').slice(0, length),
        );
      expect(line).toMatch(/characters\]/);
    }
  });
});

describe('a zone', async () => {
  const commands = await loadCommands();
  const records = (count: number) =>
    Array.from({ length: count }, (_, n) => `h${n} 300 A 192.0.2.${n % 250}`).join('\n');
  const repeated = (line: (n: number) => string) => Array.from({ length: 4_900 }, (_, n) => line(n)).join('\n');
  test.each<readonly [string, string, RegExp]>([
    ['of 1 MB', records(58_000).slice(0, 1_000_000), /zone.txt has 1000 kB/],
    ['of 120,000 lines', '\n'.repeat(120_000), /120001 lines, and at most 5000 are read/],
    ['of 120,000 lines that end as on old machines', '\r'.repeat(120_000), /120001 lines, and at most 5000/],
    ['of 15,000 records', records(15_000).slice(0, 250_000), /lines, and at most 5000 are read/],
    ['of 4,900 lines that do not fit', 'x y z\n'.repeat(4_900), /100 lines of the zone text do not fit/],
    ['of 4,900 CNAMEs of one name', repeated((n) => `www CNAME t${n}.example.net.`), /100 lines of the zone text/],
    ['of 4,900 open quotes', repeated(() => '@ TXT "open'), /100 lines of the zone text do not fit/],
    ['of 4,900 parentheses that close nothing', repeated(() => ')'), /100 lines of the zone text do not fit/],
    ['of one line of 250 kB', `@ TXT ${'"'.repeat(250_000)}`, /1 line of the zone text does not fit/],
  ])('%s is refused at once', async (_, text, refusal) => {
    const drive = await openCommandRunner({ commands, ...zoneFile(text) });
    // The simulated provider runs in this process, so the account is read first.
    await drive.refusalOf('dns apply example.com');
    // The cost includes the reads of the account on both sides of the wire, which any command needs.
    const refused = async () => expect((await drive.refusalOf('dns apply example.com')).message).toMatch(refusal);
    await expectCheap(refused, 5 * mostCost);
  });
});

describe('a typed line of 40,000 characters', async () => {
  const commands = await loadCommands();
  test.each([
    ['of words', `stop ${'a '.repeat(19_000)}`],
    ['of named words', `stop ${'a=b '.repeat(9_000)}`],
    ['of a command over and over', 'stop '.repeat(8_000)],
    ['of quotes', `dns set example.com @ TXT ${'a"'.repeat(19_000)}`],
    ['of signs in front of a letter', `why ${';'.repeat(39_000)}a`],
    ['with a zone of quotes', `dns apply example.com ${'a"'.repeat(19_000)}`],
    ['with a zone of signs in front of a letter', `dns apply ${';'.repeat(39_000)}a`],
    ['with a name of signs in front of a letter', `restart ${';'.repeat(3_900)}a`],
  ])('a line %s is read at once', async (_, line) => {
    await expectCheap(() => parse(line, commands));
  });
  test('a line of more than 4,000 characters is refused, unless it brings a text of several lines', () => {
    const zone = `dns apply example.com \`\`\`${'www 300 A 192.0.2.1\n'.repeat(500)}\`\`\``;
    expect(parse(zone, commands)).toMatchObject({ kind: 'command', missing: [] });
    expect(parse(`please ${zone}`, commands)).toMatchObject({ kind: 'command', missing: [] });
    expect(parse(`${zone}${' '.repeat(40_000)}`, commands)).toMatchObject({ kind: 'problem' });
    expect(parse(`restart ${'web-1 '.repeat(667)}`.trimEnd(), commands)).toMatchObject({ kind: 'problem' });
    expect(parse(`why ${';'.repeat(3_997)}`, commands)).toMatchObject({
      refusal: {
        message: 'That line has 4,001 characters, and at most 4,000 are read.',
        hint: 'Send it in parts. A long text goes into a form as a file.',
      },
    });
    expect(parse(`why ${';'.repeat(3_996)}`, commands)).toMatchObject({ kind: 'command' });
  });
});

test('a line above the rate limit is not parsed', async () => {
  const bot = await startTestBot({ config: { requestsPerMinute: 1 } });
  const engine = bot.replicas[0]?.engine;
  let reads = 0;
  const ask = {
    kind: 'line',
    get line() {
      reads += 1;
      return 'help';
    },
  } as const;
  const request = {
    actor: people.operator ?? '',
    place: { channel: 'C0OPS', kind: 'channel' },
    at: bot.now(),
    ask,
  } as const;
  await engine?.accept({ id: 'first', ...request }).stored;
  expect(reads).toBeGreaterThan(0);
  reads = 0;
  await engine?.accept({ id: 'second', ...request }).stored;
  expect(reads).toBe(0);
});

describe('a request that stops the process', () => {
  const openStuck = async (times = 9) => {
    const bot = await startTestBot({ process: { headersTimeoutMs: 1_500 } });
    // The request does not end, as if it had stopped the process.
    bot.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 600_000, times });
    void bot.say('operator', 'restart web-1').catch(() => undefined);
    return bot;
  };
  test('a request that began twice and never finished is reported as failed, and does not begin a third time', async () => {
    const bot = await openStuck();
    const row = async () => (await bot.store.inbox.unfinished(5, 3_600_000))[0];
    for (let times = 1; times <= 2; times++) {
      await bot.until(async () => (await row())?.begun === times);
      await bot.crash();
    }
    await bot.until(() => bot.transcript(people.operator).includes('A request of yours failed (/host restart web-1)'));
    expect(bot.transcript(people.operator)).toContain(
      'the bot began it 2 times and could not finish it, because its process ended or its database did not answer',
    );
    expect(await row()).toBeUndefined();
    await bot.crash();
    await bot.replicas[0]?.sweep();
    expect(bot.transcript(people.operator).match(/A request of yours failed/g)).toHaveLength(1);
    expect(bot.writes()).toEqual([]);
  });

  test('the next process finishes a request that began once', async () => {
    const bot = await openStuck(1);
    await bot.until(() => bot.sim.requests().some(({ path }) => path.endsWith('/status/')));
    await bot.crash();
    await bot.until(() => bot.story().includes('[Cancel]'), 'the card');
  });
});
