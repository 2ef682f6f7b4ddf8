import { expect, test } from 'vitest';
import { password } from '../../../src/commands/servers/password.ts';
import { openCommandRunner } from '../../support/run-command.ts';
import { planText } from '../../support/view-text.ts';

const commands = [password];
const route = 'POST /vps/{order_id}/passwd_reset/';

const passwordOf = (runner: Awaited<ReturnType<typeof openCommandRunner>>) =>
  runner.sim.state().orders.find((order) => order.id === '34-12345')?.vps?.password ?? 'none';

test('the new password is the secret of the receipt, and nowhere else', async () => {
  const runner = await openCommandRunner({ commands });
  const planned = await runner.planOf('password web-1');
  expect(planned.command).toMatchObject({ capability: 'secrets', risk: 'dangerous' });
  expect(planText(planned.plan)).toMatchInlineSnapshot(`
    "Reset the root password of web-1
      web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · 🟢 on
      Effect: The provider replaces the root password by a new one. The old one no longer works.
      Shown: Once, in a direct message, only to the person who asks. It is stored nowhere."
  `);
  const before = passwordOf(runner);
  const { secrets, ...ran } = await runner.run(planned);
  const now = passwordOf(runner);
  expect(now).not.toBe(before);
  expect(secrets).toEqual([{ title: 'The new root password of web-1', value: now }]);
  expect(ran).toMatchObject({
    end: 'done',
    ending: { text: 'root password of web-1 replaced' },
    note: "the provider's job is done",
    steps: [{ receipt: { text: 'job 812', data: { jobId: 812 } } }],
  });
  expect(JSON.stringify([ran, planned.plan])).not.toContain(now);
  expect(runner.writes()).toEqual([{ request: 'POST /vps/34-12345/passwd_reset/', body: null }]);
});

test('a response of another shape is not quoted', async () => {
  const runner = await openCommandRunner({ commands });
  runner.sim.fault({ kind: 'shape', match: route, times: 1, body: { passwd: ['CANARY-PASSWORD'], resp_id: 'x' } });
  const ran = await runner.runCommand('password web-1');
  expect(ran.end).toBe('unknown');
  expect(JSON.stringify([ran, String(ran.error), ran.error?.stack])).not.toContain('CANARY');
});
