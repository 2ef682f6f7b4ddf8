import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { parse } from '../../src/core/grammar/parse.ts';
import { creationSecret } from '../../src/engine/hooks/creation-webhook.ts';
import { troubles } from '../support/process/bot-process.ts';
import { adminId, secretKey } from '../support/process/simulators.ts';
import { startSystem, type TestSystem } from '../support/process/test-system.ts';
import { counted, report } from '../support/suite/report.ts';
import { isNightly, seed } from '../support/suite/seed.ts';
import { mutate, pick, type Random } from '../support/values/mutate.ts';
import { createRandom } from '../support/values/random.ts';
import { inspectable, liveHeapMb } from './heap.ts';

// Payloads that nobody sends on purpose. The nightly run takes some minutes. HOSTLER_SEED repeats a run.

const payloads = isNightly ? 100_000 : 300;
const lines = isNightly ? 1_000_000 : 1_000;
/** Payloads of a kind that Bolt does not know hold their connection for three seconds before they are answered. */
const lanes = 96;
/** Growth of live memory; V8 collects garbage when it chooses to. */
const growthMb = 10;
/** After each portion the test waits until all of it is handled: a queue is not a leak. */
const portion = 2_500;
/** Live memory has to fit into this limit, or the process ends. */
const oldSpaceMb = 256;

interface Sent {
  readonly path: string;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
}

test(`${payloads} mutated payloads and webhook bodies with valid signatures cause no crash, no unhandled error and no growth of memory`, {
  timeout: 3_600_000,
}, async ({ onTestFinished }) => {
  const random = createRandom(seed);
  const system = await startSystem({
    mode: 'http',
    slack: { eventRetryMs: [] },
    env: { LOG_LEVEL: 'info', NODE_OPTIONS: `--max-old-space-size=${oldSpaceMb} ${inspectable}` },
  });
  onTestFinished(system.close);
  const [bot] = system.bots;
  if (bot === undefined) throw new Error('no bot');
  const makers = [slackPayload(system, await slackSamples(system)), await webhookBody(system)];
  const answers: string[] = [];
  const attempt = ({ path, text, headers }: Sent) =>
    fetch(`http://127.0.0.1:${bot.port}${path}`, {
      method: 'POST',
      headers,
      body: text,
      signal: AbortSignal.timeout(60_000),
    });
  const post = async (sent: Sent) => {
    const answer = await attempt(sent).catch((error: Error) => {
      if (error.name === 'TimeoutError') throw new Error(`not answered within a minute: ${sent.text.slice(0, 2_000)}`);
      // A kept connection that was closed for idleness at this very moment; the same bytes must be answered then.
      answers.push('connection closed, sent again');
      return attempt(sent);
    });
    const said = await answer.text();
    const kind = sent.path.startsWith('/hooks/') ? 'webhook' : 'Slack';
    answers.push(`${kind} ${answer.status}`);
    // The same report twice at once: the second gets a request to retry, with the reason below.
    const isAskedToWait = kind === 'webhook' && answer.status === 503;
    if (!isAskedToWait) expect(answer.status, sent.text.slice(0, 2_000)).toBeLessThan(500);
    if (kind === 'webhook' && answer.status !== 200)
      expect(JSON.parse(said), said).toEqual({ error: expect.stringMatching(/\S/) });
  };
  const send = async (count: number) => {
    let left = count;
    await Promise.all(
      Array.from({ length: lanes }, async () => {
        while (left-- > 0) await post(pick(random, random() < 0.9 ? makers.slice(0, 1) : makers.slice(1))(random));
      }),
    );
  };
  const isIdle = async () => /^hostler_requests_under_way 0$/m.test((await bot.get('/metrics')).text);
  const liveMb: number[] = [];
  const residentMb: number[] = [];
  for (let quarter = 0; quarter < 4; quarter++) {
    for (let left = payloads / 4; left > 0; left -= portion) {
      await send(Math.min(portion, left));
      await system.until(isIdle, 'all of it to be worked on', 120_000);
    }
    liveMb.push(await liveHeapMb(bot));
    residentMb.push(await residentOf(bot.pid));
    console.log(`${answers.length} answered (HOSTLER_SEED=${seed}), heap alive: ${liveMb.join(', ')} MB`);
  }

  const errors = bot.log.filter(({ level }) => level === 'error');
  expect(bot.isAlive()).toBe(true);
  expect((await bot.get('/readyz')).status).toBe(200);
  expect((await system.slack.sim.say('reader', '#ops', '/host version')).error).toBeNull();
  report(`${payloads} mutated payloads (HOSTLER_SEED=${seed})`, {
    'answered with': counted(answers),
    'heap alive after each quarter, MB': liveMb.join(', '),
    'resident after each quarter, MB': residentMb.join(', '),
    'errors in the log': counted(errors.map(({ msg }) => msg)),
  });
  // Raw is what was not logged: an unhandled rejection, a warning of Node.
  const unexplained = troubles(bot.log).filter((text) => !reasons.test(text));
  expect(unexplained.slice(0, 5)).toEqual([]);
  expect(system.writes()).toEqual([]);
  const [first = 0, last = 0] = [liveMb[0], liveMb.at(-1)];
  expect(last - first).toBeLessThan(growthMb);
});

/**
 * Log lines about a payload that is not one: it cannot be read, or it names people and channels that do not exist. On a
 * busy machine also about a payload that was not stored in two seconds: then the person is notified.
 */
const reasons =
  /could not be read|could not store a request in time|answering a read that was not stored|Bolt: a payload was not worked on|was not acknowledged within 3 s|(channel|user|view)_not_found|invalid_/;

interface Sample {
  readonly kind: string;
  readonly body: unknown;
}

/** One of each kind, as Slack sends it. */
async function slackSamples({ slack: { sim } }: TestSystem): Promise<readonly Sample[]> {
  await sim.say('operator', '#ops', '/host stop web-1');
  await sim.waitFor('[Cancel]', { channel: '#ops' });
  await sim.click('operator', { channel: '#ops', label: 'Cancel' });
  await sim.say('operator', 'dm', 'status web-1');
  const { ts } = await sim.say('operator', '#ops', '@hostler status web-1');
  await sim.messageShortcut('operator', 'hostler_about', { channel: '#ops', ts: ts ?? '' });
  await sim.shortcut('operator', 'hostler_ask');
  await sim.openHome('operator');
  await sim.say('operator', '#ops', '/host dns add example.com');
  await sim.waitFor((s) => s.viewText('operator').includes('[Continue]'));
  await sim.submit('operator');
  const samples = sim.outcomes().flatMap(({ payloadId }) => sim.payload(payloadId ?? '') ?? []);
  expect(new Set(samples.map(({ kind }) => kind)).size).toBe(3);
  return samples;
}

function slackPayload(system: TestSystem, samples: readonly Sample[]) {
  let count = 0;
  return (random: Random): Sent => {
    const { kind, body } = pick(random, samples);
    // Some of them are new to the bot; the others count as repeated deliveries.
    const isNew = random() < 0.2;
    let mutated: unknown = isNew && typeof body === 'object' ? { ...body, ...newIds(++count) } : body;
    for (let times = 1 + Math.floor(random() * 3); times > 0; times--) mutated = mutate(random, mutated);
    const isEvent = kind === 'events_api';
    const text = isEvent ? JSON.stringify(mutated) : encode(kind, mutated);
    const at = String(Math.floor(Date.now() / 1_000));
    const mac = createHmac('sha256', system.slack.signingSecret).update(`v0:${at}:${text}`).digest('hex');
    return {
      path: '/slack/events',
      text,
      headers: {
        'content-type': isEvent ? 'application/json' : 'application/x-www-form-urlencoded',
        'x-slack-request-timestamp': at,
        'x-slack-signature': `v0=${mac}`,
      },
    };
  };
}

function newIds(count: number) {
  return { trigger_id: `fuzz.${count}`, event_id: `Ev${count}` };
}

function encode(kind: string, body: unknown): string {
  if (kind !== 'slash_commands') return new URLSearchParams({ payload: JSON.stringify(body) ?? '' }).toString();
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body ?? {}))
    form.append(name, typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value));
  return form.toString();
}

const alert = {
  status: 'firing',
  labels: { alertname: 'HighCPU', instance: '192.0.2.10:9100', severity: 'critical' },
  annotations: { summary: 'CPU is busy' },
  startsAt: '2026-01-01T00:00:00Z',
  endsAt: '0001-01-01T00:00:00Z',
  generatorURL: 'http://prometheus.internal:9090/graph',
  fingerprint: '5ef77f1f8a3ecf8d',
};
const group = {
  status: 'firing',
  groupKey: '{}:{alertname="HighCPU"}',
  groupLabels: { alertname: 'HighCPU' },
  commonLabels: { alertname: 'HighCPU' },
  commonAnnotations: {},
  alerts: [alert, { ...alert, status: 'resolved', fingerprint: '2c8ddae5bc3b3e2e' }],
  version: '4',
};
const hookBodies = {
  alertmanager: group,
  grafana: { ...group, title: '[FIRING:1] HighCPU', state: 'alerting' },
  json: { id: 'backup', title: 'The backup is late', host: 'web-1', severity: 'warning', link: 'https://example.com' },
} as const;

/** Bodies for one hook of each kind, and for the provider's report of a new server. */
async function webhookBody({ store }: TestSystem) {
  const secret = 'fuzz'.repeat(8);
  const tokenHash = createHash('sha256').update(secret).digest('hex');
  const kinds = ['alertmanager', 'grafana', 'json'] as const;
  for (const [index, kind] of kinds.entries()) {
    const id = `hookhk${index + 2}${index + 2}`;
    await store.hooks.add({ id, kind, name: kind, channel: 'C0OPS00001', tokenHash, createdBy: adminId });
  }
  const [operation] = await store.operations.list({ limit: 1 });
  const created = {
    id: '34-12345',
    name: 'web-1',
    credentials: { ip_address: '192.0.2.10', username: 'root', password: 'correct horse' },
  };
  return (random: Random): Sent => {
    const index = Math.floor(random() * 4);
    const kind = kinds[index];
    const text = JSON.stringify(mutate(random, kind === undefined ? created : hookBodies[kind]));
    if (kind !== undefined)
      return { path: `/hooks/${kind}/hookhk${index + 2}${index + 2}.${secret}`, text, headers: {} };
    const id = operation?.id ?? '';
    const key = creationSecret(Buffer.from(secretKey, 'base64'), id);
    const signature = createHmac('sha256', key).update(text).digest('hex');
    return { path: `/hooks/created/${id}`, text, headers: { 'fornex-signature': signature } };
  };
}

async function residentOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

const strange = [
  ...['web-1', 'tag:web', '192.0.2.10', 'example.com', '--ttl', 'ttl=300', 'ttl:5m', '—all', '"', "'", '`', '“a b”'],
  ...['<@U1>', '<http://a.b|a.b>', '&amp;', '\\', '=', ':', '--', '-', '\u200b', '\u202e', '\ud800', 'ё', '🙂', ' '],
  ...['\n', 'x'.repeat(5_000), '__proto__=1', 'constructor', '0', '-1', '1e999', '24h', '{}', '[]', '$(x)', '%s'],
];

test(`${lines} lines of random words are all understood or refused with a message`, {
  timeout: 3_600_000,
}, async () => {
  const random = createRandom(seed);
  const commands = await loadCommands();
  const pieces = [...commands.flatMap(({ path }) => path.split(' ')), ...strange];
  const ends: Record<string, number> = {};
  const startedAt = performance.now();
  let slowestMs = 0;
  const heapMb: number[] = [];
  for (let n = 0; n < lines; n++) {
    const words = Array.from({ length: Math.floor(random() * 7) }, () => pick(random, pieces));
    const line = words.join(random() < 0.8 ? ' ' : '');
    const beganAt = performance.now();
    const parsed = parse(line, commands);
    slowestMs = Math.max(slowestMs, performance.now() - beganAt);
    ends[parsed.kind] = (ends[parsed.kind] ?? 0) + 1;
    if (parsed.kind === 'problem' && !/\w/.test(parsed.refusal.message)) expect.fail(`no words for ${line}`);
    if (n % (lines / 4) !== lines / 4 - 1) continue;
    heapMb.push(usedHeapMb());
    // Lets other work of this process run, such as output.
    await new Promise((resolve) => setImmediate(resolve));
  }
  report(`${lines} lines (HOSTLER_SEED=${seed})`, {
    ...ends,
    'lines a second': Math.round(lines / ((performance.now() - startedAt) / 1_000)),
    'slowest, ms': Math.round(slowestMs),
    'heap MB after each quarter': heapMb.join(', '),
  });
  const [first = 0, last = 0] = [heapMb[0], heapMb.at(-1)];
  expect(last - first).toBeLessThan(20);
});

/** The heap that is left after a full collection. */
function usedHeapMb(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return Math.round(process.memoryUsage().heapUsed / 1_048_576);
}
