import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ProviderError } from '../src/core/errors.ts';
import { createLogger, type LogOptions } from '../src/log.ts';

const canary = 'canary/7f3c+91=';

function open(more: Partial<LogOptions> = {}) {
  const lines: string[] = [];
  const log = createLogger({
    level: 'debug',
    secrets: [canary, 'kd8w'],
    stream: { write: (line: string) => lines.push(line) },
    ...more,
  });
  return { log, lines, text: () => lines.join('') };
}

test('a line is JSON with its level in words and its time', () => {
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

test('what is below the level is not written', () => {
  const { log, lines } = open({ level: 'warn' });
  log.info({}, 'quiet');
  log.warn({}, 'loud');
  expect(lines).toHaveLength(1);
});

describe('nothing secret is written', () => {
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
    'authorization',
    'Authorization',
    'cookie',
    'Set-Cookie',
    'response_url',
    'responseUrl',
    'credentials',
  ];
  test.each(keys)('under the key %s, at any depth', (key) => {
    const { log, text } = open();
    log.info({ [key]: 'hush', in: { list: [{ [key]: { deep: 'hush' } }] } }, 'x');
    log.child({ [key]: 'hush', n: { [key]: 1234567 } }).info({}, 'x');
    expect(text()).not.toMatch(/hush|1234567/);
    expect(text()).toContain('[redacted]');
  });

  test('and what is no secret stays', () => {
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
  test.each(texts)('%s, wherever it stands', (_, words, hidden) => {
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

  test('a stack is written, without what it must not say', () => {
    const { log, lines } = open();
    log.error({ err: new Error(`no ${canary}`) }, 'x');
    const { err } = JSON.parse(lines[0] ?? '');
    expect(err.message).toBe('no [redacted]');
    expect(err.stack).toMatch(/^Error: no \[redacted\]\n\s+at .*log\.test\.ts/);
  });

  test('a configured value in any place of anything', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.string(), (value, before, after) => {
        const { log, text } = open();
        log.info({ value, at: { [`${before}${canary}`]: [`${before}${canary}${after}`] } }, `${canary}${after}`);
        expect(text()).not.toContain(canary);
      }),
      { numRuns: 200 },
    );
  });

  test('a value so short that it is a word of many lines is left alone', () => {
    const { log, text } = open();
    log.info({}, 'kd8w');
    expect(text()).toContain('kd8w');
  });
});

test('what cannot be written as JSON does not stop the bot', () => {
  const { log, lines } = open();
  const circle: Record<string, unknown> = { token: 'hush' };
  circle.self = circle;
  let deep: unknown = `bottom ${canary}`;
  for (let i = 0; i < 200; i++) deep = { deep };
  log.info({ circle, big: 12n, nothing: undefined, run: () => 1, deep }, 'x');
  expect(lines).toHaveLength(1);
  expect(lines.join()).not.toMatch(/hush|canary/);
});

test('on a terminal it is for people, and as discreet', () => {
  const { log, text } = open({ isPretty: true });
  log.warn({ token: 'hush', operation: 'a7f3c2' }, `restarting web-1 ${canary}`);
  expect(text()).toMatch(/^\[\d\d:\d\d:\d\d\] WARN: restarting web-1 \[redacted\]/);
  expect(text()).toContain('a7f3c2');
  expect(text()).not.toMatch(/hush|canary/);
});

test('elsewhere it is JSON on stderr, and the readable form is not even loaded', async () => {
  const program = `
    import { createRequire } from 'node:module';
    import { createLogger } from ${JSON.stringify(join(import.meta.dirname, '..', 'src', 'log.ts'))};
    createLogger({ level: 'info', secrets: ['canary-value'] }).info({}, 'hello canary-value');
    const loaded = Object.keys(createRequire(import.meta.filename ?? process.cwd() + '/x').cache);
    console.log(JSON.stringify(['pino', 'pino-pretty'].map((name) => loaded.some((path) => path.includes('/' + name + '/')))));
    process.exit();`;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program]);
  expect(JSON.parse(stderr)).toMatchObject({ level: 'info', msg: 'hello [redacted]' });
  expect(JSON.parse(stdout)).toEqual([true, false]);
});
