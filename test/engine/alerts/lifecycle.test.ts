import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { alertRules } from '../../../src/alerts/all.ts';
import { creationSecret } from '../../../src/engine/hooks/creation-webhook.ts';
import { day, hour, minute, openWatch, subscribe, tidy, type Watch } from '../../alerts/support.ts';
import { startedCreation } from '../../support/bot/creation.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { serversOutside } from '../../support/bot/servers-outside.ts';
import { readView } from '../../support/bot/view-text.ts';
import { hasAllTests } from '../../support/suite/seed.ts';
import { fillIn, pressAndSettle, sayAndPress } from '../told.ts';

/**
 * The whole life of each rule, over simulated time: calm, changed by the bot, fires, read again, also by a new process,
 * changes, gets worse, ends. On PostgreSQL two replicas take turns, and both sweep at the moment when it fires.
 */

interface Life {
  readonly rule: string;
  readonly wish?: { readonly on?: string[]; readonly at?: number[] };
  /** The time between two sweeps; by default a little more than the interval of the rule. */
  readonly everyMs?: number;
  readonly calm?: (bot: Watch) => void;
  /** The same change through the bot, which raises no alert; missing if the bot has no command for it. */
  readonly byUs?: (bot: Watch) => Promise<void>;
  readonly fires: (bot: Watch) => Promise<void> | void;
  readonly changes?: (bot: Watch) => Promise<void> | void;
  readonly worsens?: (bot: Watch) => Promise<void> | void;
  readonly ends: (bot: Watch) => Promise<void> | void;
}

const inDays = (bot: Watch, days: number) => new Date(bot.now() + days * day).toISOString();

/** Both addresses of the mail server, which the MX records of example.com lead to. */
function mailNames(bot: Watch, name: string) {
  bot.sim.order({ order: '34-12360', reverse_dns: { '203.0.113.25': name, '2001:db8:25::25': 'mail.example.com' } });
}

const answering: string[] = [];

const lives: readonly Life[] = [
  {
    rule: 'balance',
    calm: (bot) => bot.sim.balance({ balance: 900 }),
    fires: (bot) => bot.sim.balance({ balance: 40 }),
    changes: (bot) => bot.sim.balance({ balance: 39 }),
    worsens: (bot) => bot.sim.balance({ balance: 3 }),
    ends: (bot) => bot.sim.balance({ balance: 900 }),
  },
  {
    rule: 'invoices',
    calm: (bot) => bot.sim.balance({ unpaid: [] }),
    fires: (bot) => bot.sim.balance({ unpaid: [12] }),
    changes: (bot) => bot.sim.balance({ unpaid: [12, 22.5] }),
    ends: (bot) => bot.sim.balance({ unpaid: [] }),
  },
  {
    rule: 'expiring',
    wish: { on: ['order:34-12380', 'order:34-12422'] },
    calm: (bot) => {
      for (const order of ['34-12380', '34-12422'])
        bot.sim.order({ order, status: 'noprolong', expiration_date: inDays(bot, 60) });
    },
    // An order that the bot canceled ends on purpose.
    byUs: async (bot) => {
      await cancelStaging(bot);
      bot.sim.order({ order: '34-12422', expiration_date: inDays(bot, 3.5) });
    },
    fires: (bot) => bot.sim.order({ order: '34-12380', expiration_date: inDays(bot, 12.5) }),
    changes: (bot) => bot.sim.order({ order: '34-12380', cost_month: 4 }),
    worsens: (bot) => bot.sim.order({ order: '34-12380', expiration_date: inDays(bot, 0.9) }),
    ends: (bot) => bot.sim.order({ order: '34-12380', expiration_date: inDays(bot, 60) }),
  },
  {
    rule: 'order-status',
    wish: { on: ['order:34-12399'] },
    byUs: (bot) => confirmed(bot, 'rename web-2 web-two'),
    fires: (bot) => bot.sim.order({ order: '34-12399', status: 'expired' }),
    changes: (bot) => bot.sim.order({ order: '34-12399', ipaddress_set: ['192.0.2.12'] }),
    worsens: (bot) => bot.sim.order({ order: '34-12399', status: 'blocked' }),
    ends: (bot) => bot.sim.order({ order: '34-12399', status: 'active' }),
  },
  {
    rule: 'cancel-mark',
    calm: (bot) => bot.sim.order({ order: '34-12422', cancel_mark: false }),
    byUs: cancelStaging,
    fires: (bot) => bot.sim.order({ order: '34-12345', cancel_mark: true, expiration_date: inDays(bot, 9.5) }),
    changes: (bot) => bot.sim.order({ order: '34-12345', expiration_date: inDays(bot, 5.5) }),
    ends: (bot) => bot.sim.order({ order: '34-12345', cancel_mark: false, expiration_date: inDays(bot, 60) }),
  },
  {
    rule: 'power',
    wish: { on: ['order:34-12345'] },
    everyMs: 6 * minute,
    byUs: async (bot) => {
      await confirmed(bot, 'stop web-1');
      await bot.later(6 * minute);
      await confirmed(bot, 'start web-1');
    },
    fires: (bot) => bot.sim.power({ order: '34-12345', state: 'off' }),
    ends: (bot) => bot.sim.power({ order: '34-12345', state: 'on' }),
  },
  {
    rule: 'answers',
    wish: { on: ['order:34-12346'] },
    // Only db-1 answers, so that no request of the other rules waits for an answer.
    calm: () => {
      answering.push('ssh at 192.0.2.20');
    },
    fires: (bot) => {
      answering.pop();
      return bot.later(2 * minute);
    },
    ends: () => {
      answering.push('ssh at 192.0.2.20');
    },
  },
  {
    rule: 'job',
    wish: { at: [10] },
    everyMs: minute,
    byUs: (bot) => confirmed(bot, 'restart web-1'),
    fires: async (bot) => {
      bot.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
      await sayAndPress(bot, 'operator', 'restart web-1');
      const isAccepted = async () => (await bot.store.steps.jobsSince(bot.now())).length === 1;
      await bot.until(isAccepted, 'the job to be known');
      await bot.later(10 * minute);
    },
    changes: (bot) => bot.pass(9 * minute),
    ends: async (bot) => {
      const [job] = await bot.store.steps.jobsSince(bot.now());
      const { jobId } = Object(job?.job);
      bot.sim.job({ pk: jobId, state: 'done' });
      await bot.settle();
    },
  },
  {
    rule: 'traffic',
    wish: { on: ['order:34-1000101'], at: [20, 45] },
    // The counters of an idle server say half a byte, so the share depends on the limit alone.
    calm: (bot) => bot.sim.order({ order: '34-1000101', traffic_bytes_per_sec: 0, traffic_limit_bytes: 100 }),
    fires: (bot) => bot.sim.order({ order: '34-1000101', traffic_limit_bytes: 2 }),
    changes: (bot) => bot.sim.order({ order: '34-1000101', traffic_limit_bytes: 1.5 }),
    worsens: (bot) => bot.sim.order({ order: '34-1000101', traffic_limit_bytes: 1 }),
    ends: (bot) => bot.sim.order({ order: '34-1000101', traffic_limit_bytes: 100 }),
  },
  {
    rule: 'zone',
    byUs: (bot) => confirmed(bot, 'dns add example.com test A 192.0.2.99'),
    fires: (bot) => {
      bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
    },
    changes: (bot) => {
      bot.sim.records({ domain: 'example.org', add: [{ host: 'evil2', type: 'A', value: '203.0.113.67' }] });
    },
    ends: (bot) => {
      const domain = bot.sim.state().domains.find(({ name }) => name === 'example.org');
      const evil = domain?.entries.filter(({ host }) => host.startsWith('evil')).map(({ id }) => id) ?? [];
      bot.sim.records({ domain: 'example.org', remove: evil });
    },
  },
  {
    rule: 's3-space',
    calm: (bot) => bot.sim.order({ order: '664-2041', space_used: 100 }),
    fires: (bot) => bot.sim.order({ order: '664-2041', space_used: 210 }),
    changes: (bot) => bot.sim.order({ order: '664-2041', space_used: 212 }),
    worsens: (bot) => bot.sim.order({ order: '664-2041', space_used: 240 }),
    ends: (bot) => bot.sim.order({ order: '664-2041', space_used: 100 }),
  },
  {
    rule: 'reverse-dns',
    calm: (bot) => mailNames(bot, 'mail.example.com'),
    fires: (bot) => mailNames(bot, 'vps-1.hosting.example'),
    changes: (bot) => mailNames(bot, ''),
    ends: (bot) => mailNames(bot, 'Mail.Example.com.'),
  },
  {
    rule: 'new-server',
    fires: async (bot) => {
      const operation = await startedCreation(bot.store, 'abcdefgh');
      const credentials = { ip_address: '192.0.2.11', username: 'root', password: 'correct horse' };
      const body = Buffer.from(JSON.stringify({ id: '34-12399', name: 'web-two', credentials }));
      const secret = creationSecret(new Uint8Array(32).fill(7), operation);
      await bot.replicas[0]?.receiveHook({
        path: `/hooks/created/${operation}`,
        encoding: undefined,
        signature: createHmac('sha256', secret).update(body).digest('hex'),
        read: async () => body,
      });
    },
    ends: (bot) => bot.pass(day),
  },
  {
    rule: 'unreadable',
    wish: { on: ['order:34-12399'] },
    fires: (bot) => {
      bot.sim.fault({ kind: 'item', match: 'GET /orders/', item: '34-12399', set: { hostname: [] } });
    },
    ends: (bot) => bot.sim.clearFaults(),
  },
  {
    rule: 'api-key',
    fires: (bot) => {
      const detail = 'Authentication credentials were not provided.';
      bot.sim.fault({ kind: 'answer', match: '*', status: 401, body: { detail } });
    },
    ends: (bot) => bot.sim.clearFaults(),
  },
  {
    rule: 'api-unreachable',
    fires: async (bot) => {
      bot.sim.fault({ kind: 'answer', match: '*', status: 503, body: { detail: 'away' } });
      for (let n = 0; n < 4; n++) await bot.later(minute, n);
    },
    worsens: (bot) => bot.pass(hour),
    ends: (bot) => bot.sim.clearFaults(),
  },
];

async function confirmed(bot: Watch, line: string): Promise<void> {
  await bot.say('operator', line);
  if ((await openOperations(bot.store)).some((row) => row.state === 'waiting'))
    await pressAndSettle(bot, 'operator', 'Confirm');
}

async function cancelStaging(bot: Watch): Promise<void> {
  await bot.say('operator', 'cancel staging-1');
  await fillIn(bot, 'lead', 'Approve', { words: 'staging-1' });
}

/** The effect of one step on the messages: the first line of each new one, of each reply, and of what an edit adds. */
function watchMessages(bot: Watch) {
  const shown = () => new Map(bot.alerts().map((message) => [message.key, readView(message.view, (id) => id)]));
  let before = shown();
  return (): string => {
    const now = shown();
    const threads = new Set(bot.alerts().flatMap(({ key, threadTs }) => (threadTs === null ? [] : [key])));
    const said = [...now].flatMap(([key, text]) => {
      const known = before.get(key);
      if (known === text) return [];
      const old = new Set(known?.split('\n'));
      const posted = threads.has(key) ? 'replies' : 'posts';
      return [`${known === undefined ? posted : 'edits'} ${text.split('\n').find((line) => !old.has(line))}`];
    });
    before = now;
    return said.length === 0 ? 'nothing' : tidy(said.join('; '));
  };
}

test('each rule fires once, stays silent at the next sweep and after a restart, gets worse, and is resolved in its message', async () => {
  expect(lives.map(({ rule }) => rule)).toEqual(alertRules.map(({ name }) => name));
  const bot = await openWatch({}, { process: { prober: serversOutside(answering).prober } });
  const stories: string[] = [];
  for (const life of lives) stories.push(`# ${life.rule}\n${await sweepThrough(bot, life)}`);
  expect(stories.join('\n')).toMatchInlineSnapshot(`
    "# balance
    fires: posts ## 🟡 Balance covers 11 days
    changes: nothing
    gets worse: edits ## 🔴 Balance covers 1 day; replies 🔴 Balance covers 1 day
    ends: edits ✅ Balance covers 230 days, after 2 h 24 min
    # invoices
    fires: posts ## 🟡 1 invoice is unpaid
    changes: edits ## 🟡 2 invoices are unpaid
    ends: edits ✅ No invoice is unpaid, after 1 h 36 min
    # expiring
    fires: posts ## 🟡 vpn-1 expires in 12 days
    changes: nothing
    gets worse: edits ## 🔴 vpn-1 expires within a day; replies 🔴 vpn-1 expires within a day
    ends: edits ✅ vpn-1 is paid for 60 days, after 9 h 9 min
    # order-status
    fires: posts ## 🔴 web-two is expired
    changes: edits 34-12399 · 192.0.2.12 · Cloud NVMe 2
    gets worse: edits ## 🔴 web-two is blocked; replies 🔴 web-two is blocked
    ends: edits ✅ web-two is active, after 54 min
    # cancel-mark
    fires: posts ## 🔴 web-1 is marked for cancellation
    changes: edits 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ends in 5 days · not asked in Slack
    ends: edits ✅ web-1 is kept, after 1 h 6 min
    # power
    fires: posts ## 🔴 web-1 is off  [nobody here turned it off]
    ends: edits ✅ web-1 is on again, after 30 min
    # answers
    fires: posts ## 🔴 db-1 is on and answers nothing
    ends: edits ✅ db-1 answers again, after 10 min
    # job
    fires: posts ## 🟡 web-1: restart, job 815, has been running for 10 min
    changes: edits ## 🟡 web-1: restart, job 815, has been running for 20 min
    ends: edits ✅ web-1: restart, job 815, is done, after 16 min
    # traffic
    fires: posts ## 🟡 files-1 has used 25 % of its traffic
    changes: edits ## 🟡 files-1 has used 33 % of its traffic
    gets worse: edits ## 🔴 files-1 has used 50 % of its traffic; replies 🔴 files-1 has used 50 % of its traffic
    ends: edits ✅ files-1 has used 0 % of its traffic, after 4 h 39 min
    # zone
    fires: posts ## 🟡 example.org was changed by hand
    changes: edits + evil A 203.0.113.66 and + evil2 A 203.0.113.67 · noticed ‹date› · no completed request here wrote it
    ends: edits ✅ example.org: its records are as expected, after 36 min
    # s3-space
    fires: posts ## 🟡 Media bucket is 84 % full
    changes: edits 664-2041 · 212 of 250 GB, by the name of its plan
    gets worse: edits ## 🔴 Media bucket is 96 % full; replies 🔴 Media bucket is 96 % full
    ends: edits ✅ Media bucket is 40 % full, after 9 h 9 min
    # reverse-dns
    fires: posts ## 🟡 203.0.113.25 has the reverse DNS name vps-1.hosting.example
    changes: edits ## 🟡 203.0.113.25 has no reverse DNS name
    ends: edits ✅ 203.0.113.25 has the reverse DNS name Mail.Example.com., after 1 day 12 h
    # new-server
    fires: posts ## web-two is new
    ends: nothing
    # unreadable
    fires: posts ## 🟡 The order 34-12399 cannot be read
    ends: edits ✅ The order 34-12399 can be read again, after 1 h 20 min
    # api-key
    fires: posts ## 🔴 The provider refuses the API key
    ends: edits ✅ The provider accepts the API key again, after 10 min
    # api-unreachable
    fires: posts ## 🔴 The provider has not answered for 5 min
    gets worse: edits ## 🔴 The provider has not answered for 1 h; replies 🔴 The provider has not answered for 1 h
    ends: edits ✅ The provider answers again, after 1 h 16 min"
  `);
  expect(bot.log).toEqual([]);
});

async function sweepThrough(bot: Watch, life: Life): Promise<string> {
  const rule = alertRules.find(({ name }) => name === life.rule);
  const everyMs = life.everyMs ?? (rule?.everyMs ?? 0) + minute;
  let replica = 0;
  const look = () => bot.later(everyMs, replica++ % bot.replicas.length);
  const restart = async () => {
    await bot.restart();
    // The new process does the sweep.
    replica = bot.replicas.length - 1;
  };
  life.calm?.(bot);
  await subscribe(bot, { [life.rule]: life.wish ?? {} });
  const said = watchMessages(bot);
  const lines: string[] = [];
  const step = async (name: string, happens: (() => Promise<void> | void) | undefined, isSilent = false) => {
    await happens?.();
    await look();
    const heard = said();
    if (isSilent) expect(heard, `${life.rule}: ${name}`).toBe('nothing');
    else lines.push(`${name}: ${heard}`);
  };

  await step('calm', undefined, true);
  if (life.byUs !== undefined) {
    await step('by us', () => life.byUs?.(bot), true);
    await step('after that', undefined, true);
  }
  await step('fires', async () => {
    await life.fires(bot);
    await bot.pass(everyMs);
    // Both replicas try the sweep of one interval.
    await Promise.all(bot.replicas.map((replica) => replica.sweepAlerts()));
    await bot.delivered();
  });
  await step('at the next sweep', undefined, true);
  // A quick run lets the time pass without a sweep.
  if (!hasAllTests) await bot.pass(everyMs);
  else await step('at the one after', undefined, true);
  await step('right after a restart', restart, true);
  if (life.changes !== undefined) await step('changes', () => life.changes?.(bot));
  if (life.worsens !== undefined) {
    await step('gets worse', () => life.worsens?.(bot));
    await step('at the next sweep', undefined, true);
    await step('right after a restart', restart, true);
  }
  await step('ends', () => life.ends(bot));
  await step('afterwards', undefined, true);
  return lines.join('\n');
}
