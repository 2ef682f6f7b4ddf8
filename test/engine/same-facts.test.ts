import { expect, test } from 'vitest';
import { hashOf, type Json } from '../../src/core/json.ts';
import type { Plan } from '../../src/core/plan.ts';
import type { Operation } from '../../src/engine/operation/record.ts';
import { compareWithApproved } from '../../src/engine/run/same-facts.ts';

// Whether the plan of now is the one that people approved, when another version of the bot may have made that one.

const web = { kind: 'order', id: '34-12345', name: 'web-1', tags: [], project: null } as const;
const db = { kind: 'order', id: '34-12346', name: 'db-1', tags: [], project: null } as const;
type Target = Plan<Json>['targets'][number];

interface Made {
  readonly facts?: Plan<Json>['facts'];
  readonly targets?: readonly Target[];
  readonly steps?: readonly { readonly target: Target; readonly data: Json }[];
  readonly nothingToDo?: string;
  readonly build?: number;
}

const step = { target: web, data: { id: '34-12345' } };
const usual = { facts: { power: 'on', name: 'web-1' }, targets: [web], steps: [step], build: 1_000 };

/** Approved as one says, and planned now as the other says, by version 1,001. */
function compared(approved: Made, now: Made) {
  const [before, after] = [
    { ...usual, ...approved },
    { ...usual, ...now },
  ];
  const rows = before.steps.map(({ target, data }) => ({ target: `${target.kind}:${target.id}`, data }));
  // It compares nothing else of them.
  const store = { build: 1_001, steps: { list: async () => rows } } as unknown as Parameters<
    typeof compareWithApproved
  >[0]['store'];
  const { build, facts, targets } = before;
  const operation = { id: 'one', factsHash: hashOf(facts), plan: { build, facts, targets } } as unknown as Operation;
  return compareWithApproved({ store }, operation, after as unknown as Plan<Json>);
}

test.each<[what: string, approved: Made, now: Made, sameness: string]>([
  ['nothing changed', {}, {}, 'same'],
  ['nothing changed, and the facts come in another order', {}, { facts: { name: 'web-1', power: 'on' } }, 'same'],
  ['nothing changed, and the same version looks', { build: 1_001 }, {}, 'same'],
  ['a fact is named differently and stands elsewhere', {}, { facts: { name: 'web-1', state: 'on' } }, 'same'],
  ['there is nothing to do any more', {}, { nothingToDo: 'web-1 is on already.' }, 'changed'],
  ['a fact changed', {}, { facts: { power: 'off', name: 'web-1' } }, 'changed'],
  ['the same version names a fact differently', { build: 1_001 }, { facts: { state: 'on', name: 'web-1' } }, 'changed'],
  ['another version names a fact differently', {}, { facts: { state: 'on', name: 'web-1' } }, 'same'],
  ['another version names all facts differently', {}, { facts: { state: 'on', called: 'web-1' } }, 'same'],
  ['it has another name and another value', {}, { facts: { state: 'up', name: 'web-1' } }, 'unclear'],
  ['a fact that kept its name has another value', {}, { facts: { power: 'off', called: 'web-1' } }, 'changed'],
  ['a fact that kept its name has no value now', { facts: { a: null, b: 1 } }, { facts: { a: null, c: 1 } }, 'same'],
  ['a fact more is looked at', {}, { facts: { power: 'on', name: 'web-1', status: 'active' } }, 'unclear'],
  ['a fact less is looked at', {}, { facts: { name: 'web-1' } }, 'unclear'],
  ['a fact has the name of what every object has', { facts: { power: 'on' } }, { facts: { toString: 'on' } }, 'same'],
  ['it is about other targets', {}, { facts: { state: 'on', name: 'web-1' }, targets: [db] }, 'unclear'],
  [
    'its targets come in another order',
    { targets: [web, db] },
    { facts: { state: 'on', name: 'web-1' }, targets: [db, web] },
    'same',
  ],
  [
    'a step would write something else',
    {},
    { facts: { state: 'on', name: 'web-1' }, steps: [{ ...step, data: {} }] },
    'unclear',
  ],
  [
    'a step would write to another target',
    {},
    { facts: { state: 'on', name: 'web-1' }, steps: [{ ...step, target: db }] },
    'unclear',
  ],
  ['a step more would be made', {}, { facts: { state: 'on', name: 'web-1' }, steps: [step, step] }, 'unclear'],
])('the approved facts are compared with the present ones when %s', async (_, approved, now, sameness) =>
  expect(await compared(approved, now)).toBe(sameness),
);
