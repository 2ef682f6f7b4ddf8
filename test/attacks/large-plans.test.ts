import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { versionLines } from '../../src/core/dns/zone-version.ts';
import { hashOf } from '../../src/core/text/json.ts';
import { createZoneRecorder } from '../../src/engine/zones/zone-recorder.ts';
import { operationSummary } from '../commands/operation-summary.ts';
import { openCommandRunner, zoneFile } from '../support/bot/run-command.ts';
import { costOf } from '../support/suite/cost-of.ts';

// As many records as a zone file and the history of a zone may have, and each of them is changed. Work that compares
// each change with each record or each step would take seconds.

const most = 4_900;
/** The work also makes texts of megabytes and reads the account on both sides of the wire. */
const mostCost = 60;

const numbers = Array.from({ length: most }, (_, n) => n);
const text = (n: number) => ({ host: 'www', type: 'TXT', value: `text ${n}`, prio: null, ttl: 300 });

/** The number of changes in the plan of the line, which must be cheap. */
async function changesOf(drive: Awaited<ReturnType<typeof openCommandRunner>>, line: string): Promise<number> {
  let changes = 0;
  const plan = async () => {
    changes = (await drive.planOf(line)).plan.steps.length;
  };
  expect(await costOf(plan, mostCost)).toBeLessThanOrEqual(mostCost);
  return changes;
}

test.each([
  ['of different names', (n: number) => `h${n} 300 A 192.0.2.${n % 250}`],
  ['of one name', (n: number) => `@ TXT "${n}"`],
])('a zone file of 4,900 new records %s is one plan, made without a comparison of each with each', async (_, line) => {
  const file = zoneFile(numbers.map(line).join('\n'));
  const drive = await openCommandRunner({ commands: await loadCommands(), ...file });
  expect(await changesOf(drive, 'dns apply example.com')).toBeGreaterThanOrEqual(most);
});

test('an undo of 4,900 removals is one plan, made without a comparison of each with each', async () => {
  const steps = numbers.map((n) => ({
    ...{ label: '', state: 'done' as const, receipt: { id: 1_000_000 + n }, job: null },
    data: { do: 'remove', domain: 'example.com', id: 1_000_000 + n, before: text(n) },
  }));
  const asked = { id: 'a7f3c2ab', title: 'Change example.com', risk: 'dangerous' } as const;
  const operation = operationSummary({ ...asked, createdAt: Date.now(), endedAt: Date.now(), steps });
  const bot = { operation: async () => operation };
  const drive = await openCommandRunner({ commands: await loadCommands(), now: Date.now, bot });
  const add = numbers.map((n) => ({ host: `h${n}`, type: 'A' as const, value: '192.0.2.66' }));
  drive.sim.records({ domain: 'example.com', add });
  expect(await changesOf(drive, 'dns undo a7f3c2ab')).toBe(most);
});

test('a reading of 4,900 changes after 4,900 steps is stored without a comparison of each with each', async () => {
  const lines = versionLines(numbers.map(text));
  const head = { zone: 'example.com', n: 1, hash: hashOf(lines), isGone: 0, at: 0, lines };
  const steps = numbers.map((n) => ({
    ...{ target: 'domain:example.com', state: 'done' as const, startedAt: 1, endedAt: 2 },
    ...{ command: 'dns apply', operation: 'a7f3c2ab', requester: 'U1' },
    data: { do: 'remove', domain: 'example.com', id: n, before: text(n) },
  }));
  const stored: unknown[] = [];
  const store = {
    values: { find: async () => new Map(), write: async () => undefined },
    steps: { touchedSince: async () => steps },
    zoneVersions: {
      listHeads: async () => [head],
      findHead: async () => head,
      add: async (_: unknown, version: unknown) => stored.push(version) > 0,
    },
  };
  const read = async () => {
    const log = { warn: (fields: object) => stored.push(fields) };
    // Only these methods are called.
    const watcher = createZoneRecorder({ store: store as never, now: () => 3, log });
    await (await watcher.begin()).zone('example.com', []);
  };
  expect(await costOf(read, mostCost)).toBeLessThanOrEqual(mostCost);
  expect(stored[0]).toMatchObject({ since: null, operations: ['a7f3c2ab'], byUser: 'U1' });
});
