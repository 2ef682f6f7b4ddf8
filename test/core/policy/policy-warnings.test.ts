import { expect, test } from 'vitest';
import { policySchema } from '../../../src/core/policy/policy.ts';
import { policyWarnings } from '../../../src/core/policy/policy-file.ts';

const policies = (...grants: readonly [channel: string, grant: object][]) =>
  new Map(
    grants.map(([channel, grant]) => [channel, policySchema.parse({ grants: [{ to: ['everyone'], ...grant }] })]),
  );

test('a grant on a tag causes a warning when another channel lets people organize everything', () => {
  expect(
    policyWarnings(policies(['C0OPS', { can: ['organize'] }], ['C0LAB', { can: ['destroy'], on: ['tag:scratch'] }])),
  ).toEqual([
    'C0LAB  ! "everyone may destroy on tag:scratch" grants on tag:scratch, and everyone in C0OPS may organize more than ' +
      'that: they decide what it reaches. Each such change asks the approvers of C0LAB first.',
  ]);
});

const on = ['tag:scratch'];
test.each([
  ['organize on the same pattern only', { can: ['organize'], on }, { can: ['destroy'], on }],
  ['nobody organizes', { can: ['operate'] }, { can: ['destroy'], on }],
  ['a grant on everything has nothing to open', { can: ['organize'] }, { can: ['destroy'] }],
  ['reading only', { can: ['organize'] }, { can: ['read'], on }],
])('there is no warning when %s', (_, first, second) => {
  expect(policyWarnings(policies(['C0OPS', first], ['C0LAB', second]))).toEqual([]);
});
