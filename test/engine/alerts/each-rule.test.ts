import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { alertRules } from '../../../src/alerts/all.ts';
import { creationSecret } from '../../../src/engine/alerts/creation-webhook.ts';
import { day, hour, minute, openWatch, subscribe, tidy, type Watch } from '../../alerts/support.ts';
import { readAloud } from '../../support/said.ts';

/**
 * The whole life of each rule, over simulated time: calm, changed by us, fires, looked at again, by a process that has
 * just begun, changes, gets worse, ends. On PostgreSQL two replicas take turns, and sweep at once where it fires.
 */

interface Life {
  readonly rule: string;
  readonly wish?: { readonly on?: string[]; readonly at?: number[] };
  /** So much time passes from look to look; by itself a little more than the rule takes. */
  readonly everyMs?: number;
  readonly calm?: (room: Watch) => void;
  /** The same thing, asked of the bot: no alarm. Left out where nobody can ask the bot for it. */
  readonly byUs?: (room: Watch) => Promise<void>;
  readonly fires: (room: Watch) => Promise<void> | void;
  readonly changes?: (room: Watch) => Promise<void> | void;
  readonly worsens?: (room: Watch) => Promise<void> | void;
  readonly ends: (room: Watch) => Promise<void> | void;
}

const inDays = (room: Watch, days: number) => new Date(room.now() + days * day).toISOString();

const lives: readonly Life[] = [
  {
    rule: 'balance',
    calm: (room) => room.sim.balance({ balance: 900 }),
    fires: (room) => room.sim.balance({ balance: 50 }),
    changes: (room) => room.sim.balance({ balance: 45 }),
    worsens: (room) => room.sim.balance({ balance: 3 }),
    ends: (room) => room.sim.balance({ balance: 900 }),
  },
  {
    rule: 'invoices',
    calm: (room) => room.sim.balance({ unpaid: [] }),
    fires: (room) => room.sim.balance({ unpaid: [12] }),
    changes: (room) => room.sim.balance({ unpaid: [12, 22.5] }),
    ends: (room) => room.sim.balance({ unpaid: [] }),
  },
  {
    rule: 'expiring',
    wish: { on: ['order:34-12380', 'order:34-12422'] },
    calm: (room) => {
      for (const order of ['34-12380', '34-12422'])
        room.sim.order({ order, autorenew: false, expiration_date: inDays(room, 60) });
    },
    // What we cancelled ends on purpose.
    byUs: async (room) => {
      await cancelStaging(room);
      room.sim.order({ order: '34-12422', expiration_date: inDays(room, 3.5) });
    },
    fires: (room) => room.sim.order({ order: '34-12380', expiration_date: inDays(room, 12.5) }),
    changes: (room) => room.sim.order({ order: '34-12380', cost_month: 4 }),
    worsens: (room) => room.sim.order({ order: '34-12380', expiration_date: inDays(room, 0.9) }),
    ends: (room) => room.sim.order({ order: '34-12380', expiration_date: inDays(room, 60) }),
  },
  {
    rule: 'order-status',
    wish: { on: ['order:34-12399'] },
    byUs: (room) => confirmed(room, 'rename web-2 web-two'),
    fires: (room) => room.sim.order({ order: '34-12399', status: 'expired' }),
    changes: (room) => room.sim.order({ order: '34-12399', ipaddress_set: ['192.0.2.12'] }),
    worsens: (room) => room.sim.order({ order: '34-12399', status: 'blocked' }),
    ends: (room) => room.sim.order({ order: '34-12399', status: 'active' }),
  },
  {
    rule: 'cancel-mark',
    calm: (room) => room.sim.order({ order: '34-12422', cancel_mark: false }),
    byUs: cancelStaging,
    fires: (room) => room.sim.order({ order: '34-12345', cancel_mark: true, expiration_date: inDays(room, 9.5) }),
    changes: (room) => room.sim.order({ order: '34-12345', expiration_date: inDays(room, 5.5) }),
    ends: (room) => room.sim.order({ order: '34-12345', cancel_mark: false, expiration_date: inDays(room, 60) }),
  },
  {
    rule: 'power',
    wish: { on: ['order:34-12345'] },
    everyMs: 6 * minute,
    byUs: async (room) => {
      await confirmed(room, 'stop web-1');
      await room.later(6 * minute);
      await confirmed(room, 'start web-1');
    },
    fires: (room) => room.sim.power({ order: '34-12345', state: 'off' }),
    ends: (room) => room.sim.power({ order: '34-12345', state: 'on' }),
  },
  {
    rule: 'job',
    wish: { at: [10] },
    everyMs: minute,
    byUs: (room) => confirmed(room, 'restart web-1'),
    fires: async (room) => {
      room.sim.fault({ kind: 'nextJob', match: 'POST /vps/{order_id}/restart/', end: 'hang', times: 1 });
      await ask(room, 'restart web-1');
      await room.press('operator', 'Confirm');
      const isAccepted = async () => (await room.store.observations.jobsSince(room.now())).length === 1;
      await room.until(isAccepted, 'the job to be known');
      await room.later(10 * minute);
    },
    changes: (room) => room.pass(9 * minute),
    ends: async (room) => {
      const [job] = await room.store.observations.jobsSince(room.now());
      const { jobId } = Object(job?.job);
      room.sim.job({ pk: jobId, state: 'done' });
      await room.settle();
    },
  },
  {
    rule: 'traffic',
    wish: { on: ['order:34-1000101'], at: [20, 45] },
    // At rest its counters say half a byte: shares follow from the limit alone.
    calm: (room) => room.sim.order({ order: '34-1000101', traffic_bytes_per_sec: 0, traffic_limit_bytes: 100 }),
    fires: (room) => room.sim.order({ order: '34-1000101', traffic_limit_bytes: 2 }),
    changes: (room) => room.sim.order({ order: '34-1000101', traffic_limit_bytes: 1.5 }),
    worsens: (room) => room.sim.order({ order: '34-1000101', traffic_limit_bytes: 1 }),
    ends: (room) => room.sim.order({ order: '34-1000101', traffic_limit_bytes: 100 }),
  },
  {
    rule: 'zone',
    byUs: (room) => confirmed(room, 'dns add example.com test A 192.0.2.99'),
    fires: (room) => {
      room.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
    },
    changes: (room) => {
      room.sim.records({ domain: 'example.org', add: [{ host: 'evil2', type: 'A', value: '203.0.113.67' }] });
    },
    ends: (room) => {
      const domain = room.sim.state().domains.find(({ name }) => name === 'example.org');
      const evil = domain?.entries.filter(({ host }) => host.startsWith('evil')).map(({ id }) => id) ?? [];
      room.sim.records({ domain: 'example.org', remove: evil });
    },
  },
  {
    rule: 'new-server',
    fires: async (room) => {
      await room.say('operator', 'restart 34-12399');
      const operation = (await room.store.operations.open())[0]?.id ?? '';
      const credentials = { ip_address: '192.0.2.11', username: 'root', password: 'correct horse' };
      const body = Buffer.from(JSON.stringify({ id: '34-12399', name: 'web-two', credentials }));
      const secret = creationSecret(new Uint8Array(32).fill(7), operation);
      await room.replicas[0]?.receiveHook({
        path: `/hooks/created/${operation}`,
        encoding: undefined,
        signature: createHmac('sha256', secret).update(body).digest('hex'),
        read: async () => body,
      });
    },
    ends: (room) => room.pass(day),
  },
  {
    rule: 'api-key',
    fires: (room) => {
      const detail = 'Authentication credentials were not provided.';
      room.sim.fault({ kind: 'answer', match: '*', status: 401, body: { detail } });
    },
    ends: (room) => room.sim.clearFaults(),
  },
  {
    rule: 'api-unreachable',
    fires: async (room) => {
      room.sim.fault({ kind: 'answer', match: '*', status: 503, body: { detail: 'away' } });
      for (let n = 0; n < 4; n++) await room.later(minute, n);
    },
    worsens: (room) => room.pass(hour),
    ends: (room) => room.sim.clearFaults(),
  },
];

/** Asked, and the card is there to be pressed. */
async function ask(room: Watch, line: string): Promise<void> {
  await room.say('operator', line);
  await room.delivered();
}

async function confirmed(room: Watch, line: string): Promise<void> {
  await ask(room, line);
  if ((await room.store.operations.open()).some((row) => row.state === 'waiting'))
    await room.press('operator', 'Confirm');
  await room.settle();
}

async function cancelStaging(room: Watch): Promise<void> {
  await ask(room, 'cancel staging-1');
  await room.submit('lead', await room.open('lead', { button: 'Approve' }), { words: 'staging-1' });
  await room.settle();
}

/** What one step made of the messages: what was posted, the lines that are new in what was edited, what was replied. */
function watchMessages(room: Watch) {
  const shown = () => new Map(room.alerts().map((message) => [message.key, readAloud(message.view, (id) => id)]));
  let before = shown();
  return (): string => {
    const now = shown();
    const threads = new Set(room.alerts().flatMap(({ key, threadTs }) => (threadTs === null ? [] : [key])));
    const said = [...now].flatMap(([key, text]) => {
      const known = before.get(key);
      if (known === text) return [];
      if (known === undefined) return [`${threads.has(key) ? 'replies' : 'posts'}\n${text}`];
      const old = new Set(known.split('\n'));
      return [
        `edits\n${text
          .split('\n')
          .filter((line) => !old.has(line))
          .join('\n')}`,
      ];
    });
    before = now;
    return said.length === 0 ? 'nothing' : tidy(said.join('\n')).replace(/request [a-z2-9]{8}/g, 'request ‹id›');
  };
}

test('each rule fires once, is silent at the next sweep and after a restart, changes, gets worse, and ends in place', {
  timeout: 120_000,
}, async () => {
  expect(lives.map(({ rule }) => rule)).toEqual(alertRules.map(({ name }) => name));
  const room = await openWatch({});
  const stories: string[] = [];
  for (const life of lives) stories.push(`# ${life.rule}\n${await tell(room, life)}`);
  expect(stories.join('\n\n')).toMatchInlineSnapshot(`
    "# balance
    fires: posts
      ## ▲ Balance covers 12 days  [open]
      € 50 left · € 116.85 a month · next renewal: cache-1 in 2 days, € 3.50
      · open since ‹date›
      [Balance] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    changes: edits
      ## ▲ Balance covers 11 days  [open]
      € 45 left · € 116.85 a month · next renewal: cache-1 in 2 days, € 3.50
    gets worse: edits
      ## ▲ Balance covers 0 days  [critical]
      € 3 left · € 116.85 a month · next renewal: cache-1 in 1 day, € 3.50
      replies
      ▲ Balance covers 0 days · critical
    ends: edits
      ✓ Balance covers 231 days
      · was: Balance covers 0 days · lasted 2 h 24 min

    # invoices
    fires: posts
      ## ▲ 1 invoice is unpaid  [open]
      € 12 altogether
      · open since ‹date›
      [Invoices] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    changes: edits
      ## ▲ 2 invoices are unpaid  [open]
      € 34.50 altogether
    ends: edits
      ✓ No invoice is unpaid
      · was: 2 invoices are unpaid · lasted 1 h 36 min

    # expiring
    fires: posts
      ## ▲ vpn-1 expires in 12 days  [open]
      34-12380 · 203.0.113.129 · Cloud NVMe 1 · € 3.50 a month
      · open since ‹date›
      [Order] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    changes: edits
      34-12380 · 203.0.113.129 · Cloud NVMe 1 · € 4 a month
    gets worse: edits
      ## ▲ vpn-1 expires within a day  [critical]
      replies
      ▲ vpn-1 expires within a day · critical
    ends: edits
      ✓ vpn-1 is paid for longer
      · was: vpn-1 expires within a day · lasted 9 h 9 min

    # order-status
    fires: posts
      ## ▲ web-two is expired  [open]
      34-12399 · 192.0.2.11 · Cloud NVMe 2
      it was not paid in time; the provider disables it next
      · open since ‹date›
      [Order] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    changes: edits
      34-12399 · 192.0.2.12 · Cloud NVMe 2
    gets worse: edits
      ## ▲ web-two is blocked  [critical]
      the provider has blocked it; only their support can say why
      replies
      ▲ web-two is blocked · critical
    ends: edits
      ✓ web-two is active
      · was: web-two is blocked · lasted 54 min

    # cancel-mark
    fires: posts
      ## ▲ web-1 is marked for cancellation  [critical]
      34-12345 · 192.0.2.10 · Cloud NVMe 2 · ends in 9 days · not asked for here
      · open since ‹date›
      [Keep] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    changes: edits
      34-12345 · 192.0.2.10 · Cloud NVMe 2 · ends in 5 days · not asked for here
    ends: edits
      ✓ web-1 is kept
      · was: web-1 is marked for cancellation · lasted 1 h 6 min

    # power
    fires: posts
      ## ▲ web-1 went off  [critical]
      34-12345 · 192.0.2.10 · Cloud NVMe 2
      power on → off · seen ‹date› · not asked for here
      · open since ‹date›
      [Start] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    ends: edits
      ✓ web-1 is on
      · was: web-1 went off · lasted 30 min

    # job
    fires: posts
      ## ▲ web-1: restart, job 815, has been running for 10 min  [open]
      34-12345 · 192.0.2.10 · Cloud NVMe 2 · request ‹id›
      · open since ‹date›
      [Job] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    changes: edits
      ## ▲ web-1: restart, job 815, has been running for 20 min  [open]
    ends: edits
      ✓ web-1: restart, job 815, is done
      · was: web-1: restart, job 815, has been running for 20 min · lasted 16 min

    # traffic
    fires: posts
      ## ▲ files-1 has used 25 % of its traffic  [open]
      34-1000101 · 198.51.100.200 · DS-E3 · 1 B of 2 B
      · open since ‹date›
      [Traffic] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    changes: edits
      ## ▲ files-1 has used 33 % of its traffic  [open]
    gets worse: edits
      ## ▲ files-1 has used 50 % of its traffic  [critical]
      34-1000101 · 198.51.100.200 · DS-E3 · 1 B of 1 B
      replies
      ▲ files-1 has used 50 % of its traffic · critical
    ends: edits
      ✓ files-1 has used 0 % of its traffic
      · was: files-1 has used 50 % of its traffic · lasted 4 h 39 min

    # zone
    fires: posts
      ## ▲ example.org was changed by hand  [open]
      1 line of difference: evil A · seen ‹date› · not asked for here
      · open since ‹date›
      [Show zone diff] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    changes: edits
      2 lines of difference: evil A and evil2 A · seen ‹date› · not asked for here
    ends: edits
      ✓ example.org: its records are accounted for
      · was: example.org was changed by hand · lasted 36 min

    # new-server
    fires: posts
      ## ▲ web-two is new  [open]
      34-12399 · 192.0.2.12 · Cloud NVMe 2 · ordered by @U0OPERATOR
      · open since ‹date›
      [Status] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    ends: edits
      ✓ 34-12399 is no longer new
      · was: web-two is new · lasted 1 day

    # api-key
    fires: posts
      ## ▲ The provider refuses our API key  [critical]
      Nothing can be read or done until an admin has checked HOST_API_KEY.
      · open since ‹date›
      [Check] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    ends: edits
      ✓ The provider takes our API key again
      · was: The provider refuses our API key · lasted 10 min

    # api-unreachable
    fires: posts
      ## ▲ The provider has not answered for 5 min  [critical]
      no answer since ‹date›; nothing is sent, and what is shown may be old
      Servers may well run: only the provider’s API is known to be away.
      · open since ‹date›
      [Check] [Acknowledge]
      [Snooze ▾ [1 hour] [4 hours] [1 day] [7 days]]
    gets worse: edits
      ## ▲ The provider has not answered for 1 h  [critical]
      replies
      ▲ The provider has not answered for 1 h · critical
    ends: edits
      ✓ The provider answers again
      · was: The provider has not answered for 1 h · lasted 1 h 16 min"
  `);
  expect(room.log).toEqual([]);
});

async function tell(room: Watch, life: Life): Promise<string> {
  const rule = alertRules.find(({ name }) => name === life.rule);
  const everyMs = life.everyMs ?? (rule?.everyMs ?? 0) + minute;
  let turn = 0;
  const look = () => room.later(everyMs, turn++ % room.replicas.length);
  const restart = async () => {
    await room.restart();
    // The one that has just begun is the one that looks.
    turn = room.replicas.length - 1;
  };
  life.calm?.(room);
  await subscribe(room, { [life.rule]: life.wish ?? {} });
  const said = watchMessages(room);
  const lines: string[] = [];
  const step = async (name: string, happens: (() => Promise<void> | void) | undefined, isSilent = false) => {
    await happens?.();
    await look();
    const heard = said();
    if (isSilent) expect(heard, `${life.rule}: ${name}`).toBe('nothing');
    else lines.push(`${name}: ${heard.replaceAll('\n', '\n  ')}`);
  };

  await step('calm', undefined, true);
  if (life.byUs !== undefined) {
    await step('by us', () => life.byUs?.(room), true);
    await step('after that', undefined, true);
  }
  await step('fires', async () => {
    await life.fires(room);
    await room.pass(everyMs);
    // One interval, asked for by everybody.
    await Promise.all(room.replicas.map((replica) => replica.sweepAlerts()));
    await room.delivered();
  });
  await step('at the next sweep', undefined, true);
  await step('at the one after', undefined, true);
  await step('right after a restart', restart, true);
  if (life.changes !== undefined) await step('changes', () => life.changes?.(room));
  if (life.worsens !== undefined) {
    await step('gets worse', () => life.worsens?.(room));
    await step('at the next sweep', undefined, true);
    await step('right after a restart', restart, true);
  }
  await step('ends', () => life.ends(room));
  await step('afterwards', undefined, true);
  return lines.join('\n');
}
