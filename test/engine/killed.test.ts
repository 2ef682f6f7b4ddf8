import { describe, expect, test, vi } from 'vitest';
import type { Form, FormValues } from '../../src/core/form.ts';
import type { Button, View } from '../../src/core/view.ts';
import type { FaultInput } from '../../src/sandbox/provider/faults.ts';
import { createMortal, type Mortal } from '../support/mortal.ts';
import { openRoom, type Room } from '../support/room.ts';

/**
 * The process is killed after each single thing it writes down, and another goes on from the rows. Whichever write it was:
 * what was sent was sent once, everybody is told all that they would have been told, and the audit has every line, once.
 * What is taken in is not asked for again; what was not, Slack delivers again. HOSTLER_KILLS=all kills after every write;
 * without it after every eighth, beginning with another one each time; HOSTLER_KILLS_FROM repeats a beginning.
 */

const isPostgres = process.env.HOSTLER_TEST_ENGINE === 'postgres';
const stride = process.env.HOSTLER_KILLS === 'all' ? 1 : 8;
const first = Number(process.env.HOSTLER_KILLS_FROM ?? Date.now() % stride);

interface Scenario {
  readonly line: string;
  readonly press?: readonly [who: string, label: string];
  /** The button opens a form, which is filled in so. */
  readonly form?: FormValues;
  /** The line does. */
  readonly filled?: FormValues;
  readonly fault?: FaultInput;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'confirmed and done': { line: 'restart web-1', press: ['operator', 'Confirm'] },
  'approved by another': { line: 'hard-reset web-1', press: ['lead', 'Approve'] },
  'two servers, one after the other': { line: 'restart web-1 web-2', press: ['operator', 'Confirm'] },
  'the answer is lost': {
    line: 'restart web-1',
    press: ['operator', 'Confirm'],
    fault: { kind: 'lose', match: 'POST /vps/{order_id}/restart/', times: 1 },
  },
  'the provider says no': {
    line: 'restart web-1',
    press: ['operator', 'Confirm'],
    fault: {
      kind: 'answer',
      match: 'POST /vps/{order_id}/restart/',
      status: 409,
      body: { detail: 'Another operation is in progress.' },
      times: 1,
    },
  },
  withdrawn: { line: 'restart web-1', press: ['operator', 'Cancel'] },
  declined: { line: 'hard-reset web-1', press: ['lead', 'Decline…'], form: { words: 'not today' } },
  'approved with its name': { line: 'cancel web-1', press: ['lead', 'Approve'], form: { words: 'web-1' } },
  'asked in a form': { line: 'restart', filled: { servers: 'web-1' }, press: ['operator', 'Confirm'] },
  'asked of nobody': { line: 'freeze here "release"' },
};

/** Lives through it, with another process after the kill. What was not taken in, Slack delivers again. */
async function live(room: Room, mortal: Mortal, { line, press, form, filled }: Scenario): Promise<void> {
  let isAlive = true;
  let button: Button | undefined;
  const forms = new Map<string, Form | View>();
  const fillIn = async (id: string, who: string, what: Parameters<Room['open']>[1], values: FormValues) => {
    const shown = forms.get(id) ?? (await room.open(who, what));
    if ('id' in shown) forms.set(id, shown);
    return room.submit(who, shown, values, { id });
  };
  const acts = [
    () =>
      filled === undefined
        ? room.say('operator', line, { id: 'asked' })
        : fillIn('asked', 'operator', { line }, filled),
    ...(press === undefined
      ? []
      : [
          () => room.until(() => room.story().includes(`[${press[1]}]`), 'the card'),
          async () => {
            button ??= room.findButton(press[1]).button;
            return form === undefined
              ? room.click(press[0], button, { id: 'pressed' })
              : fillIn('pressed', press[0], { button: press[1] }, form);
          },
        ]),
    () =>
      room.until(
        async () =>
          (await room.store.inbox.unfinished(room.now() + 3_600_000, 1)).length === 0 &&
          (await room.store.operations.open()).length === 0,
        'its end',
      ),
    () => room.settle(),
  ];
  for (const act of acts) {
    if (isAlive) {
      const done = act().catch((error: unknown) => {
        if (!mortal.isDead()) throw error;
      });
      await Promise.race([done, mortal.died]);
      if (!mortal.isDead()) continue;
      isAlive = false;
      await room.crash();
    }
    await act();
  }
}

interface Outcome {
  readonly story: string;
  readonly audit: string;
  readonly writes: string;
  /** Killed between noting a write and sending it, or before its answer was noted: nobody can know, so it is told. */
  readonly lost: number;
  readonly left: string;
}

async function outcomeOf(room: Room): Promise<Outcome> {
  const lines = await room.store.audit.list({ limit: 500 });
  const locks = await room.store.locks.list();
  const { ok } = await room.store.audit.verify();
  return {
    story: [...new Set(room.posted.map(({ channel }) => channel))].map(room.story).join('\n'),
    audit: lines
      .map(({ kind, actor }) => `${kind} ${actor}`)
      .toSorted()
      .join('\n'),
    writes: room.writes().join('\n'),
    lost: room.posted.filter(({ key }) => key.startsWith('lost:')).length,
    left: [
      ...locks.map(({ reason }) => reason),
      ...(ok ? [] : ['a broken chain']),
      ...room.log.filter((line) => line.startsWith('error')),
    ].join('\n'),
  };
}

async function tell(scenario: Scenario, mortal: Mortal): Promise<Outcome> {
  const room = await openRoom({ engine: 'sqlite', pace: 0.001, mortal });
  if (scenario.fault !== undefined) room.sim.fault(scenario.fault);
  mortal.begin();
  try {
    await live(room, mortal, scenario);
    return await outcomeOf(room);
  } finally {
    await room.close();
  }
}

/** What is not as it would have been; undefined when all of it is. */
function difference(whole: Outcome, found: Outcome): string | undefined {
  if (found.left !== '') return found.left;
  if (found.lost === 0) {
    if (found.audit !== whole.audit) return found.audit;
    if (found.writes !== whole.writes) return found.writes;
    return found.story === whole.story ? undefined : found.story;
  }
  // What was noted and perhaps never sent is not sent again, and what comes behind it is left.
  const isSentOnce = whole.writes.startsWith(found.writes);
  const own = (audit: string) => audit.replace(/^(call|lost|freeze) .*\n/gm, '');
  if (!isSentOnce || own(found.audit) !== own(whole.audit)) return `${found.writes}\n${found.audit}`;
  return /^ {4}! .*I do not know whether this was taken.*\n {4}@operator /m.test(found.story) ? undefined : found.story;
}

describe.skipIf(isPostgres)('killed after any write', () => {
  test.each(Object.keys(scenarios))('%s', { timeout: 600_000 }, async (name) => {
    // The durable engine of a killed process says on the console that its database is gone.
    vi.spyOn(console, 'error').mockImplementation(() => {});
    const scenario = scenarios[name];
    if (scenario === undefined) throw new Error(name);
    const immortal = createMortal();
    const whole = await tell(scenario, immortal);
    const differences: string[] = [];
    let kills = 0;
    for (let n = 1 + first; n <= immortal.writes(); n += stride) {
      const mortal = createMortal(n);
      const found = await tell(scenario, mortal).then(
        (outcome) => difference(whole, outcome),
        (error: unknown) => (error instanceof Error ? error.message : String(error)),
      );
      kills += mortal.isDead() ? 1 : 0;
      if (found !== undefined) differences.push(`killed after write ${n}, ${mortal.last()}\n${found}`);
    }
    console.log(`${name}: killed ${kills} times; undisturbed it writes ${immortal.writes()} times`);
    expect(kills).toBeGreaterThan(0);
    expect(
      differences,
      `of ${immortal.writes()} writes, HOSTLER_KILLS_FROM=${first}\n${whole.audit}\n${whole.story}`,
    ).toEqual([]);
  });
});
