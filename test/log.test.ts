import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../src/core/view/errors.ts';
import { createLogger, type LogOptions } from '../src/log.ts';
import { run } from './support/process/run.ts';

const canary = 'canary/7f3c+91=';

function open(more: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: 'debug',
    secrets: [canary],
    stream: { write: (line: string) => lines.push(line) },
    ...more,
  });
  return { log, lines, text: () => lines.join('') };
}

test('a line is JSON with its level as a word and its time', () => {
  const { log, lines } = open();
  log.info({ operation: 'a7f3c2' }, 'restarting web-1');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/\}\n$/);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    operation: 'a7f3c2',
    msg: 'restarting web-1',
  });
});

test('a line below the level is not written', () => {
  const { log, lines } = open({ level: 'warn' });
  log.info({}, 'quiet');
  log.warn({}, 'loud');
  expect(lines).toHaveLength(1);
});

describe('secrets are not written', () => {
  test('a secret beside a field that is null is hidden', () => {
    const { log, lines } = open();
    log.info({ thread: null, nested: { reply: null, password: 'hunter22' } }, 'asked');
    const parsed = JSON.parse(lines[0] ?? '');
    expect(parsed).toMatchObject({ thread: null, nested: { reply: null, password: '[redacted]' } });
  });

  const keys = [
    'token',
    'botToken',
    'SLACK_BOT_TOKEN',
    'key',
    'apiKey',
    'api_key',
    'api-key',
    'X-Api-Key',
    'password',
    'root_password',
    'passwd',
    'passphrase',
    'pass',
    'pwd',
    'secret',
    'client_secret',
    'secretKey',
    'private_key',
    'privateKey',
    'authorization',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'response_url',
    'responseUrl',
    'credentials',
  ];
  test.each(keys)('the value under the key %s is hidden at any depth', (key) => {
    const { log, text } = open();
    log.info({ [key]: 'hush', in: { list: [{ [key]: { deep: 'hush' } }] } }, 'x');
    log.child({ [key]: 'hush', n: { [key]: 1234567 } }).info({}, 'x');
    expect(text()).not.toMatch(/hush|1234567/);
    expect(text()).toContain('[redacted]');
  });

  test('values that are no secret are written', () => {
    const { log, text } = open();
    log.info({ keyboard: 'qwerty', monkey: 'ape', hasToken: true, compass: 'north', target: 'order:34-101' }, 'x');
    for (const word of ['qwerty', 'ape', 'true', 'north', 'order:34-101']) expect(text()).toContain(word);
    expect(text()).not.toContain('[redacted]');
  });

  const texts: [what: string, text: string, hidden: string][] = [
    ['a bot token', 'calling with xoxb-12-34-AbCd now', '12-34-AbCd'],
    ['a user token', 'xoxp-12-34-AbCd', '12-34-AbCd'],
    ['a rotated token', 'xoxe.xoxb-1-AbCd', 'AbCd'],
    ['an app token', 'token xapp-1-A0-12-ab', '1-A0-12-ab'],
    ['an API key header', 'sent Authorization: Api-Key AbCd.1234', 'AbCd.1234'],
    ['a bearer header', '"Bearer AbCd.1234"', 'AbCd.1234'],
    ['a socket address', 'wss://wss.slack.com/link/?ticket=AbCd-1234&app_id=x', 'AbCd-1234'],
    ['a response URL', 'POST https://hooks.slack.com/commands/T1/2/AbCd1234', 'AbCd1234'],
    ['a password in an address', 'postgres://hostler:AbCd1234@db:5432/x', 'AbCd1234'],
    ['a password in a body', 'user=root&password=AbCd1234', 'AbCd1234'],
    ['a configured value', `the provider said "${canary}"`, canary],
    ['a configured value in an address', `https://x/${encodeURIComponent(canary)}/y`, encodeURIComponent(canary)],
  ];
  test.each(texts)('%s is hidden at any place in a log line', (_, words, hidden) => {
    const { log, text } = open();
    log.info({ words, deep: { list: [words] }, [words]: 1 }, words);
    log.info(words);
    log.child({ words }).warn({}, 'x');
    const error = new Error(words, { cause: new TypeError(words) });
    log.error({ err: error }, 'x');
    log.error({ error }, 'x');
    log.error(error);
    log.error({ err: Object.assign(new Error('x'), { config: { headers: [words] } }) }, 'x');
    log.error({ err: new ProviderError('rejected', 'POST /x', { status: 409, words }) }, 'x');
    log.error({ err: new AggregateError([error], words) }, 'x');
    log.info('formatted %s and %j', words, { words });
    expect(text()).not.toContain(hidden);
    expect(text()).not.toContain(JSON.stringify(hidden).slice(1, -1));
  });

  const struck: [text: string, written: string][] = [
    ['xoxe.xoxb-1-AbC-9 there', '[redacted] there'],
    ['xoxb-12-34-AbCd.e there', '[redacted] there'],
    ['Api-Key   AbCd there', 'Api-Key [redacted] there'],
    ['Basic:AbCd there', 'Basic [redacted] there'],
    ['Bearer: AbCd there', 'Bearer [redacted] there'],
    ['https://hooks.slack.com/commands/T1/2/AbCd there', 'https://hooks.slack.com/[redacted] there'],
    ['wss://x/?ticket=AbCd-1234&app_id=x', 'wss://x/?ticket=[redacted]&app_id=x'],
    ['passwd=AbCd&password=AbCd', 'passwd=[redacted]&password=[redacted]'],
    ['apikey=AbCd api_key=AbCd api-key=AbCd', 'apikey=[redacted] api_key=[redacted] api-key=[redacted]'],
    ['client_secret=AbCd;access_token=AbCd', 'client_secret=[redacted]'],
    ['postgres://hostler:AbCd1234@db:5432/x', 'postgres://hostler:[redacted]@db:5432/x'],
  ];
  test.each(struck)('nothing else of a text is hidden: %s', (words, written) => {
    const { log, lines } = open();
    log.info({ words }, 'x');
    expect(JSON.parse(lines[0] ?? '').words).toBe(written);
  });

  test('of two configured secrets the longer one is hidden first, and those under six letters are not hidden', () => {
    const { log, lines } = open({ secrets: ['sesame', 'sesame-now', 'sesam'] });
    log.info({ words: 'sesame-now sesame sesam' }, 'x');
    expect(JSON.parse(lines[0] ?? '').words).toBe('[redacted] [redacted] sesam');
  });

  test('a stack is written without its secrets', () => {
    const { log, lines } = open();
    log.error({ err: new Error(`no ${canary}`) }, 'x');
    const { err } = JSON.parse(lines[0] ?? '');
    expect(err.message).toBe('no [redacted]');
    expect(err.stack).toMatch(/^Error: no \[redacted\]\n\s+at .*log\.test\.ts/);
  });

  test('a configured secret is hidden anywhere in any value', () => {
    const property = fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, before, after) => {
      const { log, text } = open();
      log.info({ value, at: { [`${before}${canary}`]: [`${before}${canary}${after}`] } }, `${canary}${after}`);
      expect(text()).not.toContain(canary);
    });
    fc.assert(property, { numRuns: 200 });
  });
});

describe('a text of more than 8,000 characters', () => {
  const written = (words: string): string => {
    const { log, lines } = open();
    log.info({ words }, 'x');
    return JSON.parse(lines[0] ?? '').words;
  };
  const long = 'a'.repeat(7_990);

  test('a long text is cut after its last whole word, with its length', () => {
    expect(written(`${long} bc defghijk lmn`)).toBe(`${long} bc… [8006 characters]`);
    expect(written(`x ${long}\nbc defghijk`)).toBe(`x ${long}\nbc… [8004 characters]`);
    expect(written(`x ${long} b\ncdefghijk`)).toBe(`x ${long} b… [8004 characters]`);
  });

  test('a long text of one word is cut to nothing, since half a token cannot be recognized', () => {
    expect(written('a'.repeat(8_001))).toBe('… [8001 characters]');
  });

  test('a text of exactly 8,000 characters is not cut', () => {
    expect(written('a'.repeat(8_000))).toBe('a'.repeat(8_000));
  });
});

test('a value that is no text is written unchanged, and so is an empty secret', () => {
  const { log, lines } = open();
  const fields = { list: [1, null, 'a', { of: [true, [2.5]] }], nothing: null, token: '', password: null, key: false };
  log.info(fields, 'x');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject(fields);
});

test.each([
  ['objects', (inner: unknown) => ({ in: inner })],
  ['lists', (inner: unknown) => [inner]],
])('of nested %s, twenty levels are written', (_, around) => {
  const nested = (levels: number): string => {
    let value: unknown = 'bottom';
    for (let n = 0; n < levels; n++) value = around(value);
    const { log, text } = open();
    log.info({ value }, 'x');
    return text();
  };
  expect(nested(20)).toContain('bottom');
  expect(nested(21)).not.toContain('bottom');
  expect(nested(21)).toContain('[too deep]');
});

test('an error is written in the same way under the keys `error` and `err`', () => {
  const { log, lines } = open();
  log.error({ error: new TypeError('no such server') }, 'x');
  log.error({ err: new TypeError('no such server') }, 'x');
  const [error, err] = lines.map((line) => JSON.parse(line));
  expect(error.error).toMatchObject({ type: 'TypeError', message: 'no such server' });
  expect(err.err).toMatchObject({ type: 'TypeError', message: 'no such server' });
});

test('a stream gets JSON, also when stderr is a terminal', () => {
  const before = process.stderr.isTTY;
  process.stderr.isTTY = true;
  try {
    const { log, text } = open();
    log.info({}, 'x');
    expect(JSON.parse(text())).toMatchObject({ msg: 'x' });
  } finally {
    process.stderr.isTTY = before;
  }
});

test('the readable form of a line is one line, with any fields', () => {
  const { log, text } = open({ isPretty: true });
  log.info({ deep: { list: [1, { more: 2 }] } }, 'x');
  expect(text().trim().split('\n')).toHaveLength(1);
});

test('a value that cannot be written as JSON does not stop the bot', () => {
  const { log, lines } = open();
  const circle: Record<string, unknown> = { token: 'hush' };
  circle.self = circle;
  let deep: unknown = `bottom ${canary}`;
  for (let i = 0; i < 200; i++) deep = { deep };
  log.info({ circle, big: 12n, nothing: undefined, run: () => 1, deep }, 'x');
  expect(lines).toHaveLength(1);
  expect(lines.join()).not.toMatch(/hush|canary/);
});

test('on a terminal the log is readable, without secrets', () => {
  const { log, text } = open({ isPretty: true });
  log.warn({ token: 'hush', operation: 'a7f3c2' }, `restarting web-1 ${canary}`);
  expect(text()).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: restarting web-1 \[redacted\]/);
  expect(text()).toContain('a7f3c2');
  expect(text()).not.toMatch(/hush|canary/);
});

test('without a terminal the log is JSON on stderr, and the readable form is not loaded', async () => {
  const program = `
    import { createRequire } from 'node:module';
    import { createLogger } from ${JSON.stringify(join(import.meta.dirname, '..', 'src', 'log.ts'))};
    createLogger({ level: 'info', secrets: ['canary-value'] }).info({}, 'hello canary-value');
    const loaded = Object.keys(createRequire(import.meta.filename ?? process.cwd() + '/x').cache);
    console.log(JSON.stringify(['pino', 'pino-pretty'].map((name) => loaded.some((path) => path.includes('/' + name + '/')))));
    process.exit();`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stderr)).toMatchObject({ level: 'info', msg: 'hello [redacted]' });
  expect(JSON.parse(stdout)).toEqual([true, false]);
});
