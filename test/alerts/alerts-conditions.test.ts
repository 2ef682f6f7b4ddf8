import fc from 'fast-check';
import { expect, test } from 'vitest';
import { alertRules } from '../../src/alerts/all.ts';
import { isEnd } from '../../src/core/plan/operation.ts';
import { openOperations } from '../support/bot/open-operations.ts';
import { isNightly } from '../support/suite/seed.ts';
import { day, hour, minute, openWatch, type Watch } from './support.ts';

/**
 * All rules at once, over random changes at the provider, requests with random ends, missed readings, restarts and jumps
 * of time: no alert is over while its own condition, read at the provider and not at the bot, still holds.
 */

const servers = { 'web-1': '34-12345', 'db-1': '34-12346', 'staging-1': '34-12422' } as const;
type Server = keyof typeof servers;
const names = Object.keys(servers) as Server[];
const statuses = ['active', 'active', 'blocked', 'expired', 'disabled', 'noprolong'] as const;
const ends = ['done', 'error', 'hang', 'lost', 'withdrawn'] as const;
const powers = ['on', 'off', 'unknown'] as const;
const verbs = ['start', 'stop', 'restart'] as const;
const passes = [minute, minute, 6 * minute, 6 * minute, 31 * minute, 7 * hour, 25 * hour, 8 * day, 32 * day];
const broken = [
  { match: '*', status: 503 },
  { match: '*', status: 401 },
  { match: 'GET /orders/', status: 500 },
  { match: 'GET /vps/{order_id}/status/', status: 500 },
  { match: 'GET /dns/domain/', status: 500 },
  { match: 'GET /ssh_keys/', status: 500 },
  { match: 'GET /network/ip-address/', status: 500 },
] as const;

const server = fc.constantFrom(...names);
const end = fc.constantFrom(...ends);
const act = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('power'), server, state: fc.constantFrom(...powers) }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('ask'), server, verb: fc.constantFrom(...verbs), end }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('outage'), server, verb: fc.constantFrom(...verbs), end }) },
  fc.record({ do: fc.constant('status'), server, status: fc.constantFrom(...statuses) }),
  fc.record({ do: fc.constant('mark'), server, isMarked: fc.boolean() }),
  fc.record({ do: fc.constant('keep'), server }),
  fc.record({ do: fc.constant('paid'), server, days: fc.constantFrom(1, 10, 100) }),
  fc.record({ do: fc.constant('balance'), balance: fc.constantFrom(3, 9_000), unpaid: fc.constantFrom([], [12]) }),
  fc.record({ do: fc.constant('record'), isThere: fc.boolean() }),
  fc.record({ do: fc.constant('dns'), n: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ do: fc.constant('full'), gb: fc.constantFrom(100, 240) }),
  fc.record({ do: fc.constant('traffic'), limit: fc.constantFrom(1, 100) }),
  fc.record({ do: fc.constant('mail'), name: fc.constantFrom('mail.example.com', 'vps-1.hosting.example') }),
  fc.record({ do: fc.constant('bob'), membership: fc.constantFrom('member', 'deactivated') }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('break'), what: fc.constantFrom(...broken) }) },
  fc.record({ do: fc.constant('odd'), item: fc.constantFrom('34-12345', '34-12346', '664-2041') }),
  { weight: 3, arbitrary: fc.constant({ do: 'mend' } as const) },
  { weight: 2, arbitrary: fc.constant({ do: 'restart' } as const) },
  { weight: 2, arbitrary: fc.constant({ do: 'accept' } as const) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end jobs'), end: fc.constantFrom('done', 'error') }) },
);
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;
const story = fc.array(fc.record({ act, passMs: fc.constantFrom(...passes) }), { minLength: 8, maxLength: 22 });

/** The usual values, from the requests that were done. */
async function openModel(bot: Watch) {
  const usual = new Map<string, string>(names.map((name) => [servers[name], powerOf(bot, servers[name])]));
  const zone = new Set(zoneOf(bot));
  const counted = new Set<string>();
  const accepted = new Set<string>();
  return {
    usual,
    zone,
    accepted,
    /** Requests that have ended as done since. */
    update: async () => {
      const rows = (await bot.store.operations.list({ limit: 100 })).filter(
        (row) => isEnd(row.state) && !counted.has(row.id),
      );
      for (const row of rows.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0))) {
        counted.add(row.id);
        for (const step of row.state === 'done' ? await bot.store.steps.list(row.id) : []) {
          const id = step.target.slice(step.target.indexOf(':') + 1);
          if (['start', 'restart', 'stop'].includes(row.command)) usual.set(id, row.command === 'stop' ? 'off' : 'on');
          const { host, type, value } = Object(Object(step.data).after);
          if (row.command === 'dns add') zone.add(`${host} ${type} ${value}`);
        }
      }
    },
  };
}
type Model = Awaited<ReturnType<typeof openModel>>;

const orderOf = (bot: Watch, id: string) => bot.sim.state().orders.find((order) => order.id === id);
const powerOf = (bot: Watch, id: string): string => orderOf(bot, id)?.vps?.power ?? '';
const zoneOf = (bot: Watch) =>
  (bot.sim.state().domains.find(({ name }) => name === 'example.org')?.entries ?? []).map(
    ({ host, type, value }) => `${host} ${type} ${value}`,
  );

async function perform(bot: Watch, model: Model, one: Act): Promise<void> {
  const { sim } = bot;
  if (one.do === 'power') sim.power({ order: servers[one.server], state: one.state });
  if (one.do === 'status') sim.order({ order: servers[one.server], status: one.status });
  if (one.do === 'mark') sim.order({ order: servers[one.server], cancel_mark: one.isMarked });
  if (one.do === 'paid')
    sim.order({
      order: servers[one.server],
      expiration_date: new Date(bot.now() + (one.days + 0.5) * day).toISOString(),
    });
  if (one.do === 'balance') sim.balance({ balance: one.balance, unpaid: [...one.unpaid] });
  if (one.do === 'record') changeByHand(bot, one.isThere);
  if (one.do === 'full') sim.order({ order: '664-2041', space_used: one.gb });
  if (one.do === 'traffic')
    sim.order({ order: '34-1000101', traffic_bytes_per_sec: 0, traffic_limit_bytes: one.limit });
  if (one.do === 'mail')
    sim.order({ order: '34-12360', reverse_dns: { '203.0.113.25': one.name, '2001:db8:25::25': 'mail.example.com' } });
  if (one.do === 'bob') bot.roster.set('U0BOB', { name: 'bob', membership: one.membership });
  if (one.do === 'break')
    sim.fault({ kind: 'answer', match: one.what.match, status: one.what.status, body: { detail: 'broken' } });
  if (one.do === 'odd') sim.fault({ kind: 'item', match: 'GET /orders/', item: one.item, set: { hostname: [] } });
  if (one.do === 'mend') sim.clearFaults();
  if (one.do === 'restart') await bot.restart();
  if (one.do === 'ask') await ask(bot, `${one.verb} ${one.server}`, one.end);
  if (one.do === 'outage') {
    sim.power({ order: servers[one.server], state: 'off' });
    for (let n = 0; n < 2; n++) await bot.later(6 * minute);
    await model.update();
    await ask(bot, `${one.verb} ${one.server}`, one.end);
  }
  if (one.do === 'keep') await ask(bot, `keep ${one.server}`, 'done');
  if (one.do === 'dns') await ask(bot, `dns add example.org n${one.n} A 192.0.2.${one.n}`, 'done');
  if (one.do === 'accept') await accept(bot, model);
  if (one.do === 'end jobs')
    for (const [pk, state] of sim.jobStates()) if (state === 'ready') sim.job({ pk, state: one.end });
}

function changeByHand(bot: Watch, isThere: boolean) {
  const evil = bot.sim
    .state()
    .domains.flatMap(({ entries }) => entries)
    .filter(({ host }) => host === 'evil');
  if (isThere && evil.length > 0) return;
  if (isThere) bot.sim.records({ domain: 'example.org', add: [{ host: 'evil', type: 'A', value: '203.0.113.66' }] });
  else bot.sim.records({ domain: 'example.org', remove: evil.map(({ id }) => id) });
}

/** Requests and confirms the line, with this end; has no effect when the bot refuses it. */
async function ask(bot: Watch, line: string, end: (typeof ends)[number]): Promise<void> {
  const [verb = ''] = line.split(' ');
  const match = `POST /vps/{order_id}/${verb}/`;
  if (end === 'error' || end === 'hang') bot.sim.fault({ kind: 'nextJob', match, end, times: 1 });
  if (end === 'lost') bot.sim.fault({ kind: 'lose', match, times: 1 });
  await bot.say('operator', line);
  const waiting = (await openOperations(bot.store)).filter((row) => row.state === 'waiting').at(-1);
  if (waiting !== undefined) {
    const vote = end === 'withdrawn' ? 'withdraw' : 'confirm';
    await bot.click('operator', { label: '', intent: { do: 'vote', operation: waiting.id, vote } });
    const isOver = async () => {
      const row = await bot.store.operations.find(waiting.id);
      const steps = await bot.store.steps.list(waiting.id);
      // Time must not pass before the write: it would be too late to send it.
      const isSent = steps.some(({ state }) => state === 'accepted' || state === 'reading');
      // Checks that cannot read the provider are repeated, and nothing is sent until then.
      const isDelayed = (row?.delayWhy ?? null) !== null;
      return isSent || isDelayed || !['approved', 'running'].includes(row?.state ?? '');
    };
    await bot.until(isOver, `${line}, ${end}`);
  }
  bot.sim.clearFaults({ match });
}

async function accept(bot: Watch, model: Model): Promise<void> {
  const [row] = (await bot.store.alerts.listOpen({ limit: 50 })).filter(({ rule }) => rule === 'power');
  if (row === undefined) return;
  await bot.click('operator', { label: '', intent: { do: 'alert', alert: row.id, act: 'accept' } });
  if ((await bot.store.alerts.find(row.id))?.state !== 'accepted') return;
  model.accepted.add(row.id);
  model.usual.set(row.cause, / is off$/.test(row.finding.title) ? 'off' : 'on');
}

/** Reads the condition at the provider, never from the memory of the bot. */
async function holds(bot: Watch, { usual, zone }: Model, rule: string, cause: string): Promise<boolean> {
  const state = bot.sim.state();
  const order = orderOf(bot, cause);
  const isLive = order !== undefined && order.status !== 'canceled';
  const days = (order?.expiresAt ?? 0) - bot.now();
  const isCostly = ({ status, costMonth }: (typeof state.orders)[number]) =>
    status === 'active' && (costMonth ?? 0) > state.account.balance;
  const isAnswered = (match: string, status: number) =>
    state.faults.some((fault) => fault.kind === 'answer' && fault.match === match && fault.status === status);
  switch (rule) {
    case 'power':
      return isLive && powerOf(bot, cause) !== 'unknown' && powerOf(bot, cause) !== usual.get(cause);
    case 'cancel-mark':
      return isLive && order.hasCancelMark === true;
    case 'order-status':
      return ['blocked', 'expired', 'disabled'].includes(order?.status ?? '');
    case 'expiring':
      // One that is active and affordable may be paid; the rule about its status reports any other.
      return isLive && !order.hasCancelMark && days < 15 * day && (order.status === 'noprolong' || isCostly(order));
    case 'balance':
      // One case is enough: the first order that is due soon is not paid.
      return state.orders.some(
        (one) => isCostly(one) && !one.hasCancelMark && (one.expiresAt ?? 0) - bot.now() < 14 * day,
      );
    case 'invoices':
      return state.invoices.some(({ isPaid }) => !isPaid);
    case 'zone':
      return zoneOf(bot).sort().join() !== [...zone].sort().join();
    case 's3-space':
      return isLive && (order.storage?.usedGb ?? 0) >= 200;
    case 'traffic':
      return isLive && order.ds?.trafficLimitBytes === 1;
    case 'reverse-dns': {
      const mail = orderOf(bot, '34-12360');
      return mail?.status !== 'canceled' && mail?.reverseDns[cause] !== 'mail.example.com';
    }
    case 'unreadable':
      return state.faults.some((fault) => fault.kind === 'item' && cause.includes(fault.item));
    case 'api-key':
      return isAnswered('*', 401);
    case 'api-unreachable':
      return isAnswered('*', 503);
    // No rule reads anything from a provider that answers nothing.
    case 'blind':
      return isAnswered('*', 503) || isAnswered('*', 401);
    case 'job':
      return lacksGoodEnd(bot, Number(cause));
    // An event, whose alert ends by its time alone.
    case 'new-server':
      return false;
    default:
      throw new Error(`the condition of ${rule} is not read here`);
  }
}

/** A job that does not end, or ended in error without a better one after it. Its alert ends after a day in any case. */
function lacksGoodEnd({ sim, now }: Watch, pk: number): boolean {
  const jobs = [...sim.state().jobs.values()];
  const job = jobs.find((known) => known.pk === pk);
  if (job === undefined || job.state === 'done' || now() - job.startedAt > day) return false;
  return !jobs.some((later) => later.orderId === job.orderId && later.pk > pk && later.state === 'done');
}

async function openAll() {
  const bot = await openWatch({
    ...Object.fromEntries(alertRules.map(({ name }) => [name, {}])),
    traffic: { at: [20, 45] },
    job: { at: [10] },
  });
  bot.roster.set('U0BOB', { name: 'bob', membership: 'member' });
  for (let n = 0; n < 6; n++) await bot.later(minute);
  const model = await openModel(bot);
  const open = new Map<string, string>();
  const opened = new Set<string>();
  return {
    bot,
    /** The rules that have had an open alert. */
    opened,
    isOpen: (rule: string) => [...open.values()].includes(rule),
    step: async (one: Act, passMs: number) => {
      await perform(bot, model, one);
      await bot.later(passMs);
      await model.update();
      for (const id of open.keys()) await check(bot, model, id, one);
      open.clear();
      for (const { id, rule } of await bot.store.alerts.listOpen({ limit: 200 })) {
        open.set(id, rule);
        opened.add(rule);
      }
    },
  };
}

/** Rules whose alerts begin with a request here (test/engine/alerts/lifecycle.test.ts). */
const requested = new Set(['job', 'new-server']);

test('the alert of each rule stays while its condition holds, through readings, outages and a restart', async () => {
  const { bot, opened, step } = await openAll();
  const acts: readonly Act[] = [
    { do: 'power', server: 'web-1', state: 'off' },
    { do: 'mark', server: 'web-1', isMarked: true },
    { do: 'status', server: 'staging-1', status: 'blocked' },
    { do: 'paid', server: 'db-1', days: 10 },
    { do: 'balance', balance: 3, unpaid: [12] },
    { do: 'record', isThere: true },
    { do: 'full', gb: 240 },
    { do: 'traffic', limit: 1 },
    { do: 'mail', name: 'vps-1.hosting.example' },
    { do: 'bob', membership: 'deactivated' },
    { do: 'odd', item: '664-2041' },
  ];
  for (const one of acts) await step(one, minute);
  const mend: Act = { do: 'mend' };
  for (const passMs of [6 * minute, 6 * minute, 31 * minute, 6 * minute]) await step({ do: 'full', gb: 240 }, passMs);
  await step(mend, 31 * minute);
  await step({ do: 'restart' }, 6 * minute);
  for (const passMs of [6 * minute, 7 * hour, 6 * minute]) await step(mend, passMs);
  for (const what of [broken[1], broken[0]]) {
    for (let n = 0; n < 6; n++) await step({ do: 'break', what }, 6 * minute);
    await step(mend, 6 * minute);
  }
  for (const passMs of [8 * day, 6 * minute, 6 * minute]) await step(mend, passMs);
  expect([...opened].sort()).toEqual(
    ['blind', ...alertRules.flatMap(({ name, isOptional }) => (isOptional === true ? [] : name))]
      .filter((name) => !requested.has(name))
      .sort(),
  );
  await bot.close();
});

test('the alert of a job stays while it hangs and when it ends in error, until a later job of its server ends well', async () => {
  const { bot, isOpen, step } = await openAll();
  const restart = (server: Server, end: (typeof ends)[number]): Act => ({ do: 'ask', server, verb: 'restart', end });
  const mend: Act = { do: 'mend' };
  // A turn may end after the sweep of its step, and a request under way locks its server.
  const noRequest = () => bot.until(async () => (await openOperations(bot.store)).length === 0, 'the requests to end');
  await step(restart('db-1', 'hang'), minute);
  await step(mend, 11 * minute);
  expect(isOpen('job')).toBe(true);
  for (const passMs of [6 * minute, 31 * minute]) await step(mend, passMs);
  await step({ do: 'restart' }, 6 * minute);
  await step({ do: 'break', what: broken[0] }, 6 * minute);
  await step(mend, 6 * minute);
  await step({ do: 'end jobs', end: 'error' }, minute);
  for (const passMs of [6 * minute, 7 * hour, 6 * minute]) await step(mend, passMs);
  // Neither a good end for another server nor a bad one for this server is a good end for this one.
  await step(restart('web-1', 'done'), 6 * minute);
  await step({ do: 'end jobs', end: 'done' }, 6 * minute);
  await step(restart('db-1', 'error'), 6 * minute);
  expect(isOpen('job')).toBe(true);
  await noRequest();
  await step(restart('db-1', 'done'), 6 * minute);
  await step({ do: 'end jobs', end: 'done' }, 6 * minute);
  await noRequest();
  await step(mend, 6 * minute);
  expect(isOpen('job')).toBe(false);
  await bot.close();
});

test('a rule that has nothing to read does not say that it can read again while the provider refuses everything', async () => {
  const { bot, step } = await openAll();
  await step({ do: 'outage', server: 'db-1', verb: 'restart', end: 'hang' }, 31 * minute);
  const refusing: Act = { do: 'break', what: broken[1] };
  for (const passMs of [6 * minute, 31 * minute, 7 * hour]) await step(refusing, passMs);
  expect((await bot.store.alerts.listOpen({ limit: 200 })).map(({ cause }) => cause)).toContain('job');
  // A job is watched for a day.
  for (const passMs of [25 * hour, 6 * minute]) await step(refusing, passMs);
  await bot.close();
});

test('no alert of any rule is over while its own condition still holds at the provider', async () => {
  await fc.assert(
    fc.asyncProperty(story, async (acts) => {
      const { bot, step } = await openAll();
      for (const { act: one, passMs } of acts) await step(one, passMs);
      await bot.close();
    }),
    // A sequence is long, and shrinking one would take minutes.
    { numRuns: isNightly ? 10 : 2, endOnFailure: true },
  );
});

async function check(bot: Watch, model: Model, id: string, after: Act): Promise<void> {
  const row = await bot.store.alerts.find(id);
  if (row === undefined || row.resolvedAt === null) return;
  const { title } = row.finding;
  const words = `${row.rule} ${row.cause}: "${title}" ended as ${row.state}, "${row.endText}", after ${JSON.stringify(after)}`;
  if (row.state === 'accepted') expect(model.accepted.has(id), words).toBe(true);
  else expect(await holds(bot, model, row.rule, row.cause), words).toBe(false);
  if (row.state !== 'resolved') return;
  expect(row.endText, words).not.toMatch(/blocked|expired|disabled|in error|marked|refuses| changed/);
  if (/ is off$/.test(title)) expect(row.endText, words).toMatch(/ is on again/);
}
