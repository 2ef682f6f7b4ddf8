import { startProvider } from '../../../sandbox/provider/server.ts';
import { type Amount, atMost, type Context, median, pause, type Row, type Section } from '../measure.ts';
import { openPair, openStage, type Stage } from '../stage.ts';

const amounts: Readonly<Record<Amount, { starts: number; commands: number; restMs: number }>> = {
  full: { starts: 9, commands: 10_000, restMs: 5_000 },
  quick: { starts: 3, commands: 2_000, restMs: 5_000 },
  smoke: { starts: 1, commands: 20, restMs: 100 },
};

export const start: Section = {
  name: 'start',
  title: 'Start and memory',
  run: async (context) => {
    const { folder, amount } = context;
    const provider = await startProvider({ seed: { orders: 20 } });
    const ready = { hostler: [] as number[], bare: [] as number[] };
    const cpu = { hostler: [] as number[], bare: [] as number[] };
    try {
      for (let n = 0; n < amounts[amount].starts; n++) {
        for (const app of ['hostler', 'bare'] as const) {
          // Later starts open the first start's file, as after a deploy.
          const databaseUrl = `${folder}/start.db`;
          const system = await openStage({ app, folder, provider, databaseUrl });
          ready[app].push(system.app.readyMs);
          cpu[app].push(system.app.cpuMs());
          await system.close();
        }
      }
    } finally {
      await provider.close();
    }
    const figures = { hostler: median(ready.hostler), bare: median(ready.bare) };
    const ratio = median(ready.hostler.map((ms, n) => ms / (ready.bare[n] ?? Number.NaN)));
    return [
      {
        what: 'start to ready',
        unit: 'ms',
        ...figures,
        ratio,
        cpu: { hostler: median(cpu.hostler), bare: median(cpu.bare) },
        ...atMost(ratio, 1.5, 'at most 1.5 of bare'),
      },
      ...(await memory(context)),
    ];
  },
};

async function memory({ amount, folder, say }: Context): Promise<Row[]> {
  const { commands, restMs } = amounts[amount];
  const pair = await openPair({ folder, hasCore: false });
  const of = (read: (system: Stage) => number) => ({ hostler: read(pair.hostler), bare: read(pair.bare) });
  const resident = async () => {
    await pause(restMs);
    return of(({ app }) => app.residentMb());
  };
  const load = async (count: number) => {
    for (const system of [pair.hostler, pair.bare]) {
      for (let sent = 0; sent < count; sent += 500) await system.saturated('help', Math.min(500, count), 20);
    }
  };
  try {
    const idle = await resident();
    say('until warm');
    await load(commands);
    const before = await resident();
    say(`${commands} commands`);
    await load(commands);
    const after = await resident();
    const least = 'at most 1.5 of bare';
    return [
      { what: 'resident, idle', unit: 'MB', ...idle, ...atMost(idle.hostler, idle.bare * 1.5, least) },
      {
        what: `resident, after ${commands} commands`,
        unit: 'MB',
        ...before,
        ...atMost(before.hostler, before.bare * 1.5, least),
      },
      {
        what: `resident, after ${commands} more`,
        unit: 'MB',
        ...after,
        ...atMost(
          after.hostler,
          before.hostler * 1.1,
          `within 10 % of the line above: ${before.hostler.toFixed(0)} MB`,
        ),
      },
    ];
  } finally {
    await pair.close();
  }
}
