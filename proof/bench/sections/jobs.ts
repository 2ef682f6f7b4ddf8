import { type SimulatedProvider, startProvider } from '../../../sandbox/provider/server.ts';
import { watchBusy } from '../busy.ts';
import { atMost, median, pause, quantile, type Row, type Section } from '../measure.ts';
import { isDone, openStage, type Stage } from '../stage.ts';

/** Jobs with the durations of the goal, in real time; only `--smoke` shortens them. */
const full = { jobMs: { min: 25_000, max: 35_000 }, orders: 600, taught: 12, measured: 20, crowd: 500 };
const smoke: typeof full = { jobMs: { min: 200, max: 400 }, orders: 40, taught: 1, measured: 2, crowd: 10 };
const firstEndWithinMs = 120_000;
const nextEndWithinMs = 30_000;
const jobLog = 'GET /vps/{order_id}/log_details/{log_id}/';

export const jobs: Section = {
  name: 'jobs',
  title: 'From a job that ended at the provider to the card that shows it',
  run: async ({ amount, folder, say }) => {
    if (amount === 'quick') return [];
    const { jobMs, orders, taught, measured, crowd } = amount === 'smoke' ? smoke : full;
    const provider = await startProvider({ seed: { orders } });
    const system = await openStage({ app: 'hostler', folder, provider, rules: { disruptive: 'none' } });
    try {
      const servers = [...provider.sim.state().orders]
        .filter(({ vps, status }) => vps?.power === 'on' && status === 'active')
        .map(({ id }) => id);
      provider.sim.jobs(jobMs);
      say(`${taught} jobs to learn from`);
      await watched(system, provider, servers.slice(0, taught));
      say(`${measured} jobs`);
      const few = await watched(system, provider, servers.slice(taught, taught + measured));
      say(`${crowd} jobs at once`);
      // The delay makes calls overlap: a provider that responds at once would never have two running calls.
      provider.sim.fault({ kind: 'delay', ms: 50, match: jobLog });
      const many = await watched(system, provider, servers.slice(taught + measured, taught + measured + crowd));
      return [...rowsOf(few), ...crowdRows(many)];
    } finally {
      await system.close();
      await provider.close();
    }
  },
};

interface Watched {
  readonly count: number;
  /** The time from the end of each job to the card that shows it. */
  readonly lagsMs: readonly number[];
  readonly looks: readonly number[];
  readonly peak: number;
}

/** Restarts all servers at once and waits for the ends on their cards. */
async function watched(system: Stage, provider: SimulatedProvider, servers: readonly string[]): Promise<Watched> {
  const { sim } = provider;
  const shownAt = new Map<string, number>();
  const names = new Map(sim.state().orders.map(({ id, name }) => [name, id]));
  sim.clearRequests();
  const busy = watchBusy(provider.port);
  const stopMessages = system.slack.sim.onChange(({ kind, ts }) => {
    if (kind !== 'message') return;
    const message = system.slack.sim.state().messages.findLast((candidate) => candidate.ts === ts);
    if (message === undefined || !isDone(message)) return;
    const order = names.get(/^Restart (\S+):/.exec(message.text)?.[1] ?? '');
    // Only the first edit that shows the end counts.
    if (order !== undefined && !shownAt.has(order)) shownAt.set(order, Date.now());
  });
  try {
    await Promise.all(servers.map((server) => system.acknowledged(`restart ${server}`)));
    let seen = 0;
    let until = performance.now() + firstEndWithinMs;
    while (shownAt.size < servers.length) {
      if (shownAt.size > seen) until = performance.now() + nextEndWithinMs;
      seen = shownAt.size;
      if (performance.now() > until) break;
      await pause(250);
    }
  } finally {
    stopMessages();
    busy.stop();
  }
  const looksAt = Map.groupBy(
    sim.requests().filter(({ route }) => route === jobLog),
    ({ path }) => path,
  );
  // The due time of an ended job is its end, by this process's clock.
  const endedAt = new Map(sim.state().jobs.map(({ orderId, dueAt }) => [orderId, dueAt ?? Number.NaN]));
  return {
    count: servers.length,
    // An end that was never shown counts as infinite.
    lagsMs: servers.map((server) => (shownAt.get(server) ?? Number.POSITIVE_INFINITY) - (endedAt.get(server) ?? 0)),
    looks: [...looksAt.values()].map((list) => list.length),
    peak: busy.peak(),
  };
}

function rowsOf({ count, lagsMs, looks }: Watched): Row[] {
  const lag = median(lagsMs);
  return [
    { what: `${count} jobs, lag p50`, unit: 'ms', hostler: lag, ...atMost(lag, 2_000, 'at most 2 s') },
    { what: `${count} jobs, lag of the slowest`, unit: 'ms', hostler: Math.max(...lagsMs) },
    {
      what: `${count} jobs, looks at a job, the most`,
      unit: 'calls',
      hostler: Math.max(...looks),
      ...atMost(Math.max(...looks), 10, 'at most 10'),
    },
    { what: `${count} jobs, looks at a job, p50`, unit: 'calls', hostler: median(looks) },
  ];
}

function crowdRows({ count, lagsMs, looks, peak }: Watched): Row[] {
  const worst = Math.max(...lagsMs);
  return [
    { what: `${count} at once, lag p50`, unit: 'ms', hostler: median(lagsMs) },
    { what: `${count} at once, lag p99`, unit: 'ms', hostler: quantile(lagsMs, 0.99) },
    {
      what: `${count} at once, lag of the slowest`,
      unit: 'ms',
      hostler: worst,
      ...atMost(worst, 15_000, 'at most 15 s'),
    },
    {
      what: `${count} at once, provider calls under way`,
      unit: 'calls',
      hostler: peak,
      ...atMost(peak, 8, 'at most 8'),
    },
    { what: `${count} at once, looks at a job, p50`, unit: 'calls', hostler: median(looks) },
  ];
}
