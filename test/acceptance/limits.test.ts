import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, type TestContext, test } from 'vitest';
import { textOf, troubles } from '../support/bot-process.ts';
import { patientSlack, startSystem, type TestSystem, type TestSystemOptions } from '../support/test-system.ts';

// Tests hostile names, big accounts, deploys, a revoked token and a curious reader.

async function stageWith({ onTestFinished }: TestContext, options: TestSystemOptions): Promise<TestSystem> {
  const system = await startSystem({ slack: patientSlack, ...options });
  onTestFinished(system.close);
  return system;
}

describe.each(['socket', 'http'] as const)('limits over %s', (mode) => {
  test
    .runIf(mode === 'socket')
    .concurrent(
      'a slow provider, while Slack accepts no message, ends neither this process nor the next',
      async (context) => {
        const { expect } = context;
        const system = await stageWith(context, { mode });
        const { sim } = system.slack;
        system.provider.sim.fault({ kind: 'delay', match: 'GET /vps/{order_id}/status/', ms: 4_500, times: 1 });
        const clear = ['chat.postEphemeral', 'chat.postMessage', 'conversations.open'].map((method) =>
          sim.fault({ method, status: 503 }),
        );
        await sim.say('operator', '#ops', '@hostler restart web-1');
        await system.until(
          () =>
            system.bots.some((bot) => bot.log.some((line) => line.msg.includes('saying that the provider is slow'))),
          'the word that it is slow to be refused',
        );
        for (const one of clear) one();
        expect(system.bots.every((bot) => bot.isAlive())).toBe(true);
        await sim.waitFor('Restart web-1', { channel: '#ops' });
        expect(system.bots.every((bot) => bot.isAlive())).toBe(true);
      },
    );

  test.concurrent('SIGTERM during a call: the call is finished, waiting requests are kept, and the next process continues', async (context) => {
    const { expect } = context;
    const system = await stageWith(context, { mode });
    const { sim } = system.slack;
    system.provider.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/restart/', ms: 1_500 });
    await sim.say('operator', '#ops', '/host restart web-1');
    await sim.waitFor('[Cancel]', { channel: '#ops' });
    await sim.click('operator', { channel: '#ops', isMain: true });
    await system.until(() => system.writes().length === 1, 'the restart to be sent');
    await sim.say('operator', '#ops', '/host stop web-2');
    const [bot] = system.bots.splice(0);
    expect(await bot?.end('SIGTERM')).toEqual({ code: 0, signal: null });
    expect(troubles(bot?.log ?? [])).toEqual([]);
    const stopped = await system.operation(({ command }) => command === 'restart', 'the restart');
    expect((await system.store.steps.list(stopped.id)).map(({ state }) => state)).not.toContain('reading');
    await system.start();
    await sim.waitFor('web-1 restarted', { channel: '#ops' });
    await sim.waitFor('Stop web-2', { channel: '#ops' });
    await system.settle();
    expect(system.writes()).toEqual(['POST /vps/34-12345/restart/']);
  });

  test
    .runIf(mode === 'socket')
    .concurrent(
      'SIGTERM while the provider hangs: the process ends after ten seconds, and the next process reads the result',
      async (context) => {
        const { expect } = context;
        const system = await stageWith(context, { mode });
        const { sim } = system.slack;
        system.provider.sim.fault({ kind: 'delay', match: 'POST /vps/{order_id}/stop/', ms: 60_000, times: 1 });
        await sim.say('operator', '#ops', '/host stop web-1');
        await sim.waitFor('[Cancel]', { channel: '#ops' });
        await sim.click('operator', { channel: '#ops', isMain: true });
        await system.until(() => system.writes().length === 1, 'the stop to be sent');
        const [bot] = system.bots.splice(0);
        const since = performance.now();
        expect(await bot?.end('SIGTERM')).toEqual({ code: 124, signal: null });
        expect(performance.now() - since).toBeLessThan(30_000);
        await system.start();
        await sim.waitFor('Not retried', { channel: '#ops' });
        expect(system.writes()).toEqual(['POST /vps/34-12345/stop/']);
      },
    );

  test.concurrent('after a revoked token the bot is not ready and says why, and its process stays alive', async (context) => {
    const { expect } = context;
    const system = await stageWith(context, { mode });
    const [bot] = system.bots;
    expect(await bot?.get('/readyz')).toEqual({ status: 200, text: 'ready\n' });
    await system.slack.sim.revokeToken();
    const answer = await system.until(async () => {
      const found = await bot?.get('/readyz');
      return found?.status === 503 && found;
    }, 'the bot to see it');
    expect(answer.text).toMatch(/Slack refuses the token/);
    expect((await bot?.get('/healthz'))?.status).toBe(200);
  });
});

const hostile = '<!channel> <@U0ADMIN001> *b* `c` <http://e.example|ok> \u202Egnp.exe';

test.concurrent('hostile names and values are shown as plain text', async (context) => {
  const { expect } = context;
  const system = await stageWith(context, {});
  const { sim } = system.slack;
  system.provider.sim.order({ order: '34-12345', name: hostile, tags: ['<!here>'] });
  system.provider.sim.records({
    domain: 'example.com',
    add: [{ host: 'evil', type: 'TXT', value: 'see <http://evil.example|your bank> <!everyone> `x`' }],
  });
  for (const line of [
    'list',
    'orders',
    'status 34-12345',
    'restart 34-12345',
    'dns list example.com',
    'why restart 34-12345',
  ])
    await sim.say('operator', '#ops', `/host ${line}`);
  await system.until(() => sim.messages('#ops').length + sim.ephemerals('operator').length >= 6, 'six answers');
  await sim.openHome('operator');
  await sim.waitFor((s) => s.homeText('operator').includes('<!channel>'));
  const shown = [...sim.messages('#ops'), ...sim.ephemerals('operator')];
  const texts = shown.map((message) => sim.plainText(message));
  expect(texts.filter((text) => text.includes('<!channel> <@U0ADMIN001>')).length).toBeGreaterThanOrEqual(4);
  expect(texts.join('\n')).toContain('see <http://evil.example|your bank> <!everyone> `x`');
  // The name is no markup: texts that Slack parses have it escaped, and the mark that turns text around is visible.
  const parsed = [...shown, sim.home('operator')].flatMap((message) => mrkdwnIn(message));
  for (const text of parsed) expect(text).not.toMatch(/<!(channel|here|everyone)|<@U0ADMIN001|<http/);
  expect(JSON.stringify(shown)).not.toContain('\u202E');
  expect(sim.requests().filter(({ ok }) => !ok)).toEqual([]);
});

/** Every text in which Slack reads markup: mrkdwn objects and the message's own text. */
function mrkdwnIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(mrkdwnIn);
  if (typeof value !== 'object' || value === null) return [];
  const own = 'text' in value && typeof value.text === 'string' && !isPlain(value) ? [value.text] : [];
  return [...own, ...Object.values(value).flatMap(mrkdwnIn)];
}

/** Slack shows plain text objects, and the texts and links of rich text, without markup. */
function isPlain(value: object): boolean {
  return 'type' in value && ['plain_text', 'text', 'raw_text', 'link'].includes(String(value.type));
}

test.concurrent('in an account of a thousand servers, lists, searches and names work, and no limit of Slack is broken', async (context) => {
  const { expect } = context;
  const system = await stageWith(context, { provider: { seed: { orders: 1_000 } } });
  const { sim } = system.slack;
  await sim.say('operator', '#ops', '/host list');
  await sim.waitFor('1,000', { channel: '#ops' });
  await sim.say('operator', '#ops', '/host orders');
  await sim.say('operator', '#ops', '/host restart web-150');
  await sim.waitFor('Restart web-150', { channel: '#ops' });
  await sim.say('operator', '#ops', '/host restart tag:web');
  await sim.say('operator', '#ops', '/host restart web-');
  await system.until(() => sim.ephemerals('operator').length >= 1, 'an answer to an ambiguous name');
  await sim.say('operator', '#ops', '/host status');
  await system.settle();
  await sim.say('operator', '#ops', '/host stop');
  const view = await sim.waitFor((s) => s.view('operator')?.submit !== null && s.view('operator'));
  const select = JSON.stringify(view.blocks).match(/"action_id":"([^"]*search[^"]*)"/)?.[1] ?? '';
  const found = await sim.suggest('operator', { action_id: select, value: 'cache-16' });
  expect(found.outcome.ackedMs).toBeLessThan(3_000);
  expect(found.options.map((option) => JSON.stringify(option)).join()).toContain('cache-16');
  await sim.openHome('operator');
  await sim.waitFor((s) => /Page 2 of \d+/.test(s.homeText('operator')));
  expect(sim.requests().filter(({ ok }) => !ok)).toEqual([]);
  expect(sim.outcomes().filter(({ error }) => error !== null)).toEqual([]);
});

test.concurrent('a password is in no file, no log and no message', async (context) => {
  const { expect } = context;
  const system = await stageWith(context, { env: { LOG_LEVEL: 'trace' } });
  const { sim } = system.slack;
  await sim.say('operator', '#ops', '/host password db-1');
  await sim.waitFor('[Approve ', { channel: '#ops' });
  await sim.click('lead', { channel: '#ops', isMain: true });
  await system.until(() => sim.transcript('dm', 'operator').includes('Reveal once'), 'the password');
  await system.settle();
  // While the password waits, sealed, and after it was shown.
  const before = await everythingWritten(system);
  await sim.click('operator', { channel: 'dm', label: 'Reveal once' });
  await sim.waitFor((s) => s.viewText('operator').includes('```'));
  const password = /```\n(\S+)\n```/.exec(sim.viewText('operator'))?.[1] ?? '';
  expect(password).toMatch(/^\w{14}$/);
  const after = await everythingWritten(system);
  const [bot] = system.bots.splice(0);
  const metrics = (await bot?.get('/metrics'))?.text ?? '';
  // Counters are there from the start: Prometheus sees no increase in a counter that appears with 1.
  expect(metrics).toMatch(/^hostler_operations_total\{command="restart",end="unknown"\} 0$/m);
  expect(metrics).toMatch(/^hostler_build_info\{version="[^"]+",node="v\d+[^"]*"\} 1$/m);
  expect(metrics).toMatch(/^process_resident_memory_bytes \d+$/m);
  await bot?.end('SIGTERM');
  const stopped = await everythingWritten(system);
  expect(Object.keys(after).map((name) => name.replace(/^hostler/, ''))).toEqual(
    expect.arrayContaining(['.db', '.db-wal']),
  );
  for (const places of [before, after, stopped, { log: textOf(bot?.log ?? []), metrics }]) {
    for (const [place, text] of Object.entries(places)) {
      expect(text.length, place).toBeGreaterThan(0);
      expect(text.includes(password), `the password is in ${place}`).toBe(false);
    }
  }
  // The search works: it finds a text that is no secret in the same places.
  expect(after['hostler.db']?.concat(after['hostler.db-wal'] ?? '')).toContain('34-12346');
});

async function everythingWritten(system: TestSystem): Promise<Record<string, string>> {
  const dir = dirname(system.database.url);
  const files = (await readdir(dir)).filter((name) => name.startsWith(basename(system.database.url, '.db')));
  const { messages, ephemerals } = system.slack.sim.state();
  const texts = await Promise.all(
    files.map(async (name) => [name, (await readFile(join(dir, name))).toString('latin1')] as const),
  );
  // SQLite's empty log does not count.
  return {
    ...Object.fromEntries(texts.filter(([, text]) => text !== '')),
    messages: JSON.stringify([messages, ephemerals]),
  };
}
