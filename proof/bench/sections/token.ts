import { hash } from 'node:crypto';
import { join } from 'node:path';
import { startProvider } from '../../../sandbox/provider/server.ts';
import { seedIds } from '../../../sandbox/slack/seed.ts';
import { tokenPrefix } from '../../../src/engine/alerts/make-hook.ts';
import { shortId } from '../../../src/engine/context/request.ts';
import { openStore } from '../../../src/store/database.ts';
import { leaveCore } from '../cores.ts';
import { type Amount, atMost, quantile, type Row, type Section } from '../measure.ts';
import { channel, openStage, type Stage } from '../stage.ts';

const amounts: Readonly<Record<Amount, { inFlight: number; rounds: number }>> = {
  full: { inFlight: 50, rounds: 8 },
  quick: { inFlight: 50, rounds: 4 },
  smoke: { inFlight: 5, rounds: 1 },
};
/** Fewer than the requests of one token that may wait for a decision. */
const changesPerToken = 4;

const kinds = ['read', 'change'] as const;
type Kind = (typeof kinds)[number];
type Times = Readonly<Record<Kind, { readonly http: number[]; readonly slack: number[] }>>;
/** The answer to a change reads the link to its card every 100 ms: for four reads. */
const mostAboveSlackMs: Readonly<Record<Kind, number>> = { read: 0, change: 400 };

/**
 * Bursts over HTTP and in Slack take turns, each change on a separate server. The first answer to a change is the
 * request that waits for a decision: over HTTP with the link to its card, in Slack the card.
 */
export const token: Section = {
  name: 'token',
  title: 'From a line to its first answer, over HTTP and in Slack',
  run: async ({ amount, folder, say }) => {
    const { inFlight, rounds } = amounts[amount];
    const changes = inFlight * (rounds + 1);
    const databaseUrl = join(folder, 'token.db');
    const provider = await startProvider({ seed: { orders: 2 * changes } });
    const servers = provider.sim.state().orders.map(({ id }) => id);
    const rules = { routine: 'confirm', disruptive: 'confirm' } as const;
    leaveCore(true);
    const system = await openStage({ app: 'hostler', folder, provider, databaseUrl, rules, hasCore: true });
    const tokens = await addTokens(databaseUrl, Math.ceil(changes / changesPerToken));
    const lineOf = { read: () => 'balance', change: () => `rename ${servers.pop()} bench-${servers.length}` };
    const tookMs: Times = { read: { http: [], slack: [] }, change: { http: [], slack: [] } };
    try {
      // The first round opens the connections and compiles the code.
      for (let round = 0; round <= rounds; round += 1) {
        say(`round ${round} of ${rounds}`);
        for (const kind of kinds)
          for (const way of ['http', 'slack'] as const) {
            const since = system.posted();
            const lines = Array.from({ length: inFlight }, lineOf[kind]);
            const tokenFor = (n: number) => tokens[(round * inFlight + n) % tokens.length] ?? '';
            const times = way === 'http' ? await overHttp(system, lines, tokenFor) : await inSlack(system, lines);
            if (round > 0) tookMs[kind][way].push(...times);
            if (kind === 'change' || way === 'slack') await system.quiet(since, inFlight);
          }
      }
    } finally {
      await system.close();
      await provider.close();
      leaveCore(false);
    }
    return kinds.flatMap((kind) => [0.5, 0.99].flatMap((share) => rowsOf(kind, share, inFlight, tookMs)));
  },
};

function rowsOf(kind: Kind, share: number, inFlight: number, times: Times): Row[] {
  const [http, slack] = [quantile(times[kind].http, share), quantile(times[kind].slack, share)];
  const above = mostAboveSlackMs[kind];
  const what = (way: string) => `${kind} ${way}, ${inFlight} in flight, p${share * 100}`;
  return [
    {
      what: what('over HTTP'),
      unit: 'ms',
      hostler: http,
      ...atMost(http, slack + above, above === 0 ? 'at most as in Slack' : `at most ${above} ms above Slack`),
    },
    { what: what('in Slack'), unit: 'ms', hostler: slack },
  ];
}

async function addTokens(databaseUrl: string, count: number): Promise<readonly string[]> {
  const store = await openStore(databaseUrl);
  const tokens: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const [id, secret] = [shortId(`token ${n}`), `secret-${n}`];
    const row = { id, kind: 'token', name: `bench-${n}`, channel, createdBy: seedIds.admin, mayWrite: 1 } as const;
    await store.hooks.add({ ...row, tokenHash: hash('sha256', secret), expiresAt: Date.now() + 86_400_000 });
    tokens.push(`${tokenPrefix}${id}.${secret}`);
  }
  await store.close();
  return tokens;
}

/** Ms to each answer. */
function overHttp({ app }: Stage, lines: readonly string[], tokenFor: (n: number) => string): Promise<number[]> {
  return Promise.all(
    lines.map(async (line, n) => {
      const startedAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${app.port}/api/run`, {
        method: 'POST',
        headers: { authorization: `Bearer ${tokenFor(n)}` },
        body: JSON.stringify({ line, key: line }),
      });
      const answer = await response.text();
      if (!response.ok) throw new Error(`${line}: ${response.status} ${answer}`);
      return performance.now() - startedAt;
    }),
  );
}

/** Ms to each posted answer. */
async function inSlack({ slack, acknowledged }: Stage, lines: readonly string[]): Promise<number[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const tookMs: number[] = [];
  const startedAt = performance.now();
  const unsubscribe = slack.sim.onChange(({ kind }) => {
    if (kind !== 'message' && kind !== 'ephemeral') return;
    tookMs.push(performance.now() - startedAt);
    if (tookMs.length === lines.length) resolve();
  });
  await Promise.all([...lines.map(acknowledged), promise]);
  unsubscribe();
  return tookMs;
}
