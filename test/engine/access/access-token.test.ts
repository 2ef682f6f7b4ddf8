import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Target } from '../../../src/core/account/account.ts';
import type { Membership } from '../../../src/core/policy/membership.ts';
import { capabilities, emptyPolicy, type Grant, grantable, type Policy } from '../../../src/core/policy/policy.ts';
import { accessAt, accessOf } from '../../../src/engine/access/access.ts';
import type { EngineContext } from '../../../src/engine/context/engine-context.ts';

/** The rights of a token over drawn policies, against rules that are written here again from docs/machines.md. */

const user = 'U1';
const servers: readonly Target[] = ['web-1', 'db-1'].map((name, n) => {
  return { kind: 'order', id: `34-${n}`, name, tags: [], project: null };
});

const subjects: readonly Grant['to'][number][] = ['everyone', 'group:S1', `user:${user}`, 'user:U2'];
const grants = fc.record({
  to: fc.subarray([...subjects], { minLength: 1 }),
  can: fc.subarray([...grantable], { minLength: 1 }),
  on: fc.subarray(['all', 'order:web-1', 'order:db-1'], { minLength: 1 }),
});
const memberships: readonly Membership[] = ['member', 'guest', 'stranger', 'deactivated', 'bot'];
const drawn = fc.record({
  grants: fc.array(grants, { maxLength: 4 }),
  membership: fc.constantFrom(...memberships),
  isInGroup: fc.boolean(),
  isHere: fc.boolean(),
  isAdmin: fc.boolean(),
});
type Drawn = typeof drawn extends fc.Arbitrary<infer T> ? T : never;

/** True if a token of the person may use the capability on the server. */
function mayUse({ grants, membership, isInGroup, isHere }: Drawn, capability: string, { name }: Target): boolean {
  if (!isHere) return false;
  if (capability === 'admin' || capability === 'secrets') return false;
  if (membership === 'deactivated' || membership === 'bot') return false;
  const own = membership === 'member' ? [...(isHere ? ['everyone'] : []), ...(isInGroup ? ['group:S1'] : [])] : [];
  return grants.some(
    ({ to, can, on }) =>
      [...own, `user:${user}`].some((subject) => to.some((each) => each === subject)) &&
      can.some((each) => each === capability) &&
      (on.includes('all') || on.includes(`order:${name}`)),
  );
}

function contextOf({ grants, membership, isInGroup, isHere, isAdmin }: Drawn): EngineContext {
  const policy: Policy = { ...emptyPolicy, version: 1, grants };
  const reading = {
    directory: {
      person: async () => ({ id: user, name: 'ana', membership, timeZone: undefined }),
      groupMembers: async () => new Set(isInGroup ? [user] : []),
      isInChannel: async () => isHere,
    },
    policies: { here: async () => ({ policy, standing: async () => 'ok' }) },
    settings: { admins: isAdmin ? [user] : [] },
  } as unknown as Parameters<typeof accessOf>[0];
  const accessOfPerson: EngineContext['accessOf'] = (...asked) => accessOf(reading, ...asked);
  return { ...reading, accessOf: accessOfPerson } as unknown as EngineContext;
}

test('a token may do what its maker may, but never administer and never see a secret', async () => {
  const token = { id: 'abcdefgh', name: 'ci', line: '' };
  const call = { id: 'c1', token, lets: 'change', mayWrite: true } as const;
  const property = fc.asyncProperty(drawn, async (who) => {
    const access = await accessAt(contextOf(who), user, { channel: 'C1', kind: 'channel', call });
    expect(access.actor.isAdmin).toBe(false);
    for (const capability of capabilities)
      for (const server of servers) {
        const expected = mayUse(who, capability, server);
        expect(access.decide(capability, 'disruptive', [server]).allowed, capability).toBe(expected);
        expect(access.may(capability, server), capability).toBe(expected);
      }
  });
  await fc.assert(property, { numRuns: 300 });
});
