import { describe, expect, type TestContext } from 'vitest';
import { type Policy, policySchema } from '../../src/core/policy/policy.ts';
import type { OperationRow } from '../../src/store/records/operation-row.ts';
import { usualPolicy } from '../support/bot/policy.ts';
import { opsGroup, type TestSystem } from '../support/process/test-system.ts';
import { hasForm, kind, reportRepeated, type Stage, stageWith } from './stage.ts';

// SIGKILL at every arrow to and from a later hour, a countdown, a standing approval and broken glass. The hour is hours away
// and is brought near in the row, so that no test waits for it.

reportRepeated();

const hourMs = 3_600_000;
const usual = usualPolicy(opsGroup);
const waiting: Policy = policySchema.parse({
  ...usual,
  rules: { ...usual.rules, dangerous: { approve: 1, by: [`group:${opsGroup}`], wait: '2h' } },
});

/** Asks for it and decides, and waits for the state in the row. */
async function decided(
  { system, say, confirm, approve }: Stage,
  line: string,
  state: 'scheduled' | 'cooling' | 'standing',
): Promise<OperationRow> {
  await say(line);
  await (/^(restart|stop) /.test(line) ? confirm() : approve());
  return system.operation((row) => row.state === state, `it to be ${state}`);
}

/** Decides while Slack is offline, kills the bot, and returns the row of before. */
async function killedAfterDecision(stage: Stage, line: string, state: 'scheduled' | 'cooling' | 'standing') {
  let row: OperationRow | undefined;
  await stage.say(line);
  await stage.sees(state === 'cooling' ? '[Approve ' : '[Cancel]');
  await stage.killedWithout([state === 'cooling' ? '*' : 'chat.update'], async () => {
    await (state === 'cooling' ? stage.approve() : stage.confirm());
    row = await stage.system.operation((one) => one.state === state, `it to be ${state}`);
  });
  if (row === undefined) throw new Error('it was not decided');
  return row;
}

/** Brings the hour and the end of the countdown to now. */
const comes = async ({ database, store, until }: TestSystem, { id, state, channel, requester }: OperationRow) => {
  // The bot notes the countdown a moment after it began, and its own line must come first.
  const lines = () => store.audit.list({ operationId: id, kind: 'cooling', limit: 1 });
  if (state === 'cooling') await until(async () => (await lines()).length > 0, 'the line of the countdown');
  const now = Date.now();
  // The judge reads the hour in the audit.
  const kind = state === 'cooling' ? 'cooling' : 'moved';
  const data = state === 'cooling' ? { readyAt: now } : { to: now };
  await store.audit.append({ kind, data, actor: requester, channel, operation: id, text: 'brought near' });
  await database.run(
    `update operations set next_turn_at = ${now}, starts_at = case when starts_at is null then null else ${now} end,
     ready_at = case when ready_at is null then null else ${now} end where id = '${id}'`,
  );
};

/** Kills the bot during the checks before the first write. */
const killedAtTheChecks = (stage: Stage, row: OperationRow) =>
  stage.killedAtLook(async () => {
    await comes(stage.system, row);
    await stage.system.operation(({ id, state }) => id === row.id && state === 'approved', 'the checks');
  });

const stop = 'POST /vps/34-12345/stop/';
const restart = 'POST /vps/34-12345/restart/';
const reset = 'POST /vps/34-12345/hard_reset/';

describe.concurrent('killed with a later hour, or in a countdown', () => {
  kind({
    'a request that was just scheduled keeps its hour, shows it after the restart, and begins once': async (
      context,
    ) => {
      const stage = await stageWith(context);
      const { system } = stage;
      const row = await killedAfterDecision(stage, 'restart web-1 in=2h', 'scheduled');
      await stage.sees('[Call off]');
      expect((await system.store.operations.find(row.id))?.startsAt).toBe(row.startsAt);
      expect(system.writes()).toEqual([]);
      await comes(system, row);
      await stage.endsWith('web-1 restarted', [restart]);
    },
    'a request whose hour comes while no process runs begins after the start, once': async (context) => {
      const stage = await stageWith(context);
      const { system } = stage;
      const row = await decided(stage, 'restart web-1 in=2h', 'scheduled');
      const [bot] = system.bots.splice(0);
      await bot?.end('SIGKILL');
      await comes(system, row);
      await system.start();
      await stage.endsWith('web-1 restarted', [restart]);
    },
    'a request that is killed at its hour, during its checks, begins once': async (context) => {
      const stage = await stageWith(context);
      await killedAtTheChecks(stage, await decided(stage, 'restart web-1 in=2h', 'scheduled'));
      await stage.endsWith('web-1 restarted', [restart]);
    },
    'a confirmed request that is killed at "Run now" runs once': async (context) => {
      const stage = await stageWith(context);
      const row = await decided(stage, 'restart web-1 in=2h', 'scheduled');
      await stage.sees('[Call off]');
      await stage.killedAtLook(async () => {
        await stage.press('Run now');
        const hasMoved = ({ id, startsAt }: OperationRow) => id === row.id && startsAt !== row.startsAt;
        await stage.system.operation(hasMoved, 'the other hour');
      });
      await stage.endsWith('web-1 restarted', [restart]);
    },
    'an approved request that is killed at "Run now" waits for another approval, and the old one does not count':
      async (context) => {
        const stage = await stageWith(context);
        const { system } = stage;
        const row = await decided(stage, 'hard-reset web-1 in=2h', 'scheduled');
        await stage.sees('[Call off]');
        await stage.killedWithout(['chat.update'], async () => {
          await stage.press('Run now');
          await system.operation(({ id, state }) => id === row.id && state === 'waiting', 'it to wait');
        });
        await stage.sees('[Approve ');
        await system.settle();
        expect(await system.store.votes.list(row.id)).toMatchObject([{ isVoid: true }]);
        expect(system.writes()).toEqual([]);
        await stage.approve();
        await stage.endsWith('web-1 was reset', [reset]);
      },
    'a request that is killed while the form moves it keeps the new hour, shows it, and begins once': async (
      context,
    ) => {
      const stage = await stageWith(context);
      const { system, sim } = stage;
      const row = await decided(stage, 'restart web-1 in=2h', 'scheduled');
      await stage.sees('[Call off]');
      await stage.press('Move…');
      await hasForm(stage, 'operator');
      const at = Math.ceil(Date.now() / 60_000) * 60_000 + 5 * hourMs;
      await sim.fill('operator', { When: at / 1_000 });
      await stage.killedWithout(['chat.update'], async () => {
        await sim.submit('operator');
        await system.operation(({ id, startsAt }) => id === row.id && startsAt === at, 'the other hour');
      });
      await system.until(
        async () => (await system.store.messages.find(`card:${row.id}`))?.state === 'delivered',
        'the card with the other hour',
      );
      expect(await system.store.operations.find(row.id)).toMatchObject({ state: 'scheduled', startsAt: at });
      expect(await system.store.audit.list({ operationId: row.id, kind: 'moved', limit: 9 })).toHaveLength(1);
      await comes(system, { ...row, startsAt: at });
      await stage.endsWith('web-1 restarted', [restart]);
    },
    'a countdown that just began continues after the restart to the same end, and the request begins once': async (
      context,
    ) => {
      const stage = await stageWith(context, { policy: waiting });
      const { system } = stage;
      const row = await killedAfterDecision(stage, 'hard-reset web-1', 'cooling');
      await stage.sees('counting down');
      expect((await system.store.operations.find(row.id))?.readyAt).toBe(row.readyAt);
      expect((row.readyAt ?? 0) - Date.now()).toBeGreaterThan(hourMs);
      expect(system.writes()).toEqual([]);
      await comes(system, row);
      await stage.endsWith('web-1 was reset', [reset]);
    },
    'a request that is killed at the end of its countdown, during its checks, begins once': async (context) => {
      const stage = await stageWith(context, { policy: waiting });
      await killedAtTheChecks(stage, await decided(stage, 'hard-reset web-1', 'cooling'));
      await stage.endsWith('web-1 was reset', [reset]);
    },
  });
});

describe.concurrent('killed with a standing approval, or after the glass was broken', () => {
  const line = 'restart web-1 every="sun 03:00" until="in 60 days" runs=1';
  const policy = policySchema.parse({ ...usual, breakGlass: [`group:${opsGroup}`] });

  async function broken(context: TestContext): Promise<Stage> {
    const stage = await stageWith(context, { policy });
    const { sim } = stage;
    await sim.say('lead', '#ops', '/host hard-reset web-1');
    await stage.sees('[Approve ');
    await sim.select('operator', { channel: '#ops', label: 'More', value: 'Break glass…' });
    await hasForm(stage, 'operator');
    await sim.fill('operator', { 'Why can it not wait?': 'the database is down and nobody answers' });
    return stage;
  }
  const countOf = async ({ store }: TestSystem, what: string) =>
    (await store.audit.list({ kind: what, limit: 9 })).length;

  kind({
    'an approval that was just given stands after the restart, and its run begins once': async (context) => {
      const stage = await stageWith(context);
      const { system } = stage;
      const row = await killedAfterDecision(stage, line, 'standing');
      await comes(system, row);
      await stage.endsWith('web-1 restarted', [restart]);
      expect(await system.store.audit.list({ operationId: row.id, kind: 'standing', limit: 9 })).toHaveLength(1);
    },
    'a run that is killed after its call was sent ends once, and no other takes its place': async (context) => {
      const stage = await stageWith(context);
      const { system } = stage;
      const row = await decided(stage, line.replace('restart', 'stop'), 'standing');
      stage.provider.fault({ kind: 'delay', match: 'POST /vps/{order_id}/stop/', ms: 2_000 });
      await comes(system, row);
      await system.until(() => system.writes().length > 0, 'the call');
      await system.crash();
      await stage.endsWith('web-1 stopped', [stop]);
      expect(await system.store.operations.list({ limit: 9 })).toHaveLength(2);
    },
    'the request runs once, and everybody knows once': async (context) => {
      const stage = await broken(context);
      await stage.killedAtLook(async () => {
        await stage.sim.submit('operator');
        await stage.system.operation(({ state }) => state === 'approved', 'the checks');
      });
      await stage.endsWith('web-1 was reset', [reset]);
      expect(await countOf(stage.system, 'glass_broken')).toBe(1);
    },
    'the glass is closed once, when the bot is killed at the close': async (context) => {
      const stage = await broken(context);
      const { system, sim } = stage;
      await sim.submit('operator');
      await stage.sees('web-1 was reset');
      await system.settle();
      await stage.press('Close break glass…', 'admin');
      await hasForm(stage, 'admin');
      await sim.fill('admin', { 'What did you find?': 'the disk was full, and logs are rotated now' });
      await stage.killedWithout(['*'], async () => {
        await sim.submit('admin');
        await system.operation(({ glass }) => JSON.stringify(glass).includes('"closed"'), 'the close');
      });
      await stage.sees('closed the broken glass: “the disk was full');
      await stage.endsWith('web-1 was reset', [reset]);
      expect(await countOf(system, 'glass_closed')).toBe(1);
    },
  });
});
