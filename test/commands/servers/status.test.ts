import { expect } from 'vitest';
import type { Target } from '../../../src/core/account/account.ts';
import { viewText } from '../../support/bot/view-text.ts';
import { testsOf } from '../commands-called.ts';
import { operationSummary } from '../operation-summary.ts';

const { openRunner, test } = testsOf('status', 'job', 'ds show');

const step = { label: 'ci-1', state: 'accepted', data: { id: '34-12371', name: 'ci-1' }, receipt: null } as const;
const targets: readonly Target[] = [{ kind: 'order', id: '34-12371', name: 'ci-1', tags: [], project: null }];
const restarting = operationSummary({
  targets,
  title: 'Restart ci-1',
  state: 'running',
  steps: [{ ...step, job: { orderId: '34-12371', jobId: 806 } }],
});
const stopped = operationSummary({ targets, title: 'Stop ci-1', endedAt: 60_000, steps: [{ ...step, job: null }] });

test('the card of a server shows its state, its requests and its buttons', async () => {
  const runner = await openRunner({
    bot: { operations: async ({ open }) => (open ? [restarting] : [restarting, stopped]) },
  });
  const card = viewText(await runner.viewOf('status ci-1'));
  expect(card.replace(/[\d.,]+ (%|MB)/g, '‹n› $1').replace(/; \d+ gaps?/g, '')).toMatchInlineSnapshot(`
    "## ci-1  [🟢 on]
    198.51.100.40 · CPU ‹n› % · memory ‹n› MB · ci.example.org points here
    Internal · ci · paid until ‹day› (8 days)
    (picture: Curve of ci-1 · CPU, last 24 h. CPU: min ‹n› % · mean ‹n› % · max ‹n› % · last ‹n› %.)
    Running: ⏳ Restart ci-1
    Last: Stop ci-1: done, asked by @somebody, ‹full›
    Last job: 806 Hard reset: ended in error, 1 day 6 h ago
    · 34-12371 · read ‹full›
    [Restart → restart 34-12371] [Stats → stats 34-12371] [☆ Favorite → favorite 34-12371]
    [More ▾ [Stop → stop 34-12371] [Hard reset → hard-reset 34-12371] [Rescue mode on → rescue on 34-12371] [Rescue mode off → rescue off 34-12371] [New root password → password 34-12371] [Reinstall… → form reinstall 34-12371] [DNS names → dns find 198.51.100.40] [Rename… → form rename 34-12371] [Tags… → form tag 34-12371] [Move… → form move 34-12371] [Plan, host and reverse names → order 34-12371]]
    file 34-12371-day.png: Curve of ci-1 · CPU, last 24 h. CPU: min ‹n› % · mean ‹n› % · max ‹n› % · last ‹n› %."
  `);
  expect(viewText(await runner.viewOf('status web-1'))).not.toContain('Running');
});

test('the card has only buttons that the person may use and that make sense', async () => {
  const runner = await openRunner({ may: (capability) => capability === 'read' });
  const read = viewText(await runner.viewOf('status staging-1'));
  expect(read).toContain('[Stats → stats 34-12422]');
  expect(read).not.toMatch(/Start|Stop|Hard reset/);
  const operator = await openRunner({
    may: (capability) => capability === 'read' || capability === 'operate',
  });
  const said = viewText(await operator.viewOf('status staging-1'));
  expect(said).toContain('[Start → start 34-12422] [Stats');
  expect(said).not.toMatch(/password|Reinstall/);
});

test('a power status or zones that cannot be read are shown as unknown', async ({ runner }) => {
  runner.sim.fault({ kind: 'answer', match: 'GET /vps/{order_id}/status/', status: 502, body: 'bad gateway' });
  runner.sim.fault({ kind: 'answer', match: 'GET /dns/domain/', status: 502, body: 'bad gateway' });
  const said = viewText(await runner.viewOf('status web-1'));
  expect(said).toContain('## web-1  [⚪ unknown]');
  expect(said).toContain('its DNS names could not be read');
});

test('status without a server lists only servers that need attention', async ({ runner }) => {
  expect(viewText(await runner.viewOf('status'))).toMatch(
    /^staging-1: off, 6 days paid\nwiki-1: off, 9 days paid, not renewed\ncache-1: .*\nci-1: .*\nmail-1: .*\n· 12 servers: 10 on, 2 off/,
  );
  const large = await openRunner({ seed: { orders: 70 } });
  const before = large.sim.requests().length;
  await large.viewOf('status');
  const reads = large.sim.requests().slice(before);
  expect(reads.filter(({ path }) => path.endsWith('/status/'))).toEqual([]);
});

test('only the load of a server that is on is read', async ({ runner }) => {
  const loadsOf = async (line: string) => {
    const before = runner.sim.requests().length;
    await runner.viewOf(line);
    return runner.sim
      .requests()
      .slice(before)
      .filter(({ path }) => path.includes('stat') && !path.endsWith('/status/'));
  };
  expect(await loadsOf('status staging-1')).toEqual([]);
  expect(await loadsOf('status web-1')).toHaveLength(2);
});

test('job shows a job that runs, is done or ended in error', async () => {
  const runner = await openRunner({ jobMs: 60_000 });
  expect(viewText(await runner.viewOf('job ci-1 806'))).toContain(
    'By: ops@example.com\nThe provider says: The hypervisor did not answer in time.\n[Status → status 34-12371]',
  );
  const { pk } = await runner.provider.vps.restart({ order_id: '34-12345' });
  expect(viewText(await runner.viewOf(`job web-1 ${pk}`))).toContain('State: running');
  runner.sim.advance(60_000);
  expect((await runner.viewOf(`job web-1 ${pk}`)).summary).toBe(`Job ${pk} of web-1: done`);
});

test('an unknown server and a job of another server are refused at their field', async ({ runner }) => {
  expect(await runner.refusalOf('status wbe-1')).toMatchObject({ field: 'server' });
  expect(await runner.refusalOf('job web-1 806')).toMatchObject({
    message: 'web-1 has no job 806. The provider says: No OrderLog matches the given query.',
    field: 'id',
  });
  expect(await runner.refusalOf('job web-1 first')).toMatchObject({ field: 'id' });
});

test('a dedicated server has its own card, without its price', async ({ runner }) => {
  const card = viewText(await runner.viewOf('ds show files-1'));
  expect(card).toContain('Costs: € 27 a month');
  expect(viewText(await runner.viewOf('status files-1'))).toBe(card.replace(/^Costs: .*\n/m, ''));
});
