import { describe, expect, onTestFinished, test } from 'vitest';
import { type Policy, policySchema } from '../../../src/core/policy/policy.ts';
import { createPolicies } from '../../../src/engine/access/policies.ts';
import { openStore } from '../../../src/store/database.ts';
import { createKeyvAdapter } from '../../../src/store/keyv.ts';

// The rights of a channel rest where more people can read it than when an admin last confirmed them.

const policy: Policy = policySchema.parse({ grants: [{ to: ['everyone'], can: ['read'] }] });

interface Facts {
  isPrivate: boolean;
  isShared: boolean;
  isArchived: boolean;
  teams?: string[];
}

/** The policies of a store in memory, in which C1 begins as a private channel of ours. */
async function open() {
  const store = await openStore(':memory:');
  onTestFinished(() => store.close());
  const asked: unknown[] = [];
  const facts: Facts & { isAway?: boolean } = { isPrivate: true, isShared: false, isArchived: false };
  const policies = createPolicies(store, {
    channel: async (id, maxAgeMs) => {
      asked.push([id, maxAgeMs]);
      if (facts.isAway) throw new Error('Slack is away');
      return { id, name: 'ops', hasBot: true, ...facts };
    },
  });
  return { policies, facts, asked, store, posture: async () => (await store.values.get('policy', 'C1'))?.posture };
}

const asFound = { isPrivate: true, isShared: false, teams: [] };

describe('saving a policy', () => {
  test('stores the next version, and the present state of the channel', async () => {
    const { policies, posture, asked } = await open();
    expect([await policies.get('C1'), await policies.all()]).toEqual([undefined, new Map()]);
    expect(await policies.save('C1', policy, 0)).toBe(true);
    const saved = { ...policy, version: 1 };
    expect(await policies.get('C1')).toEqual(saved);
    expect(await policies.all()).toEqual(new Map([['C1', saved]]));
    expect((await policies.here('C1')).policy).toEqual(saved);
    expect((await policies.here('C2')).policy).toBeUndefined();
    expect(await posture()).toEqual(asFound);
    // The present state of the channel, not a cached one.
    expect(asked).toEqual([['C1', 0]]);
  });

  test('changes nothing where somebody else has changed it', async () => {
    const { policies } = await open();
    expect(await policies.save('C1', policy, 1)).toBe(false);
    await policies.save('C1', policy, 0);
    expect(await policies.save('C1', { ...policy, solo: true }, 0)).toBe(false);
    expect(await policies.get('C1')).toEqual({ ...policy, version: 1 });
    expect(await policies.save('C1', { ...policy, solo: true }, 1)).toBe(true);
    expect(await policies.get('C1')).toEqual({ ...policy, solo: true, version: 2 });
  });

  test('does not confirm a channel that became shared', async () => {
    const { policies, facts, posture } = await open();
    await policies.save('C1', policy, 0);
    facts.isShared = true;
    await policies.save('C1', policy, 1);
    expect(await posture()).toEqual(asFound);
    expect(await policies.standing('C1')).toBe('shared');
  });

  test('reads the state of the channel later when Slack does not answer', async () => {
    const { policies, facts, posture } = await open();
    facts.isAway = true;
    expect(await policies.save('C1', policy, 0)).toBe(true);
    expect(await posture()).toBeNull();
    expect(await policies.standing('C1')).toBe('unknown');
    expect(await posture()).toBeNull();
    facts.isAway = false;
    expect(await policies.standing('C1')).toBe('ok');
    expect(await posture()).toEqual(asFound);
    expect(await policies.get('C1')).toEqual({ ...policy, version: 1 });
    facts.isPrivate = false;
    expect(await policies.standing('C1')).toBe('became_public');
  });
});

describe('the standing of a channel', () => {
  const teams = (...names: string[]) => ({ isShared: true, teams: names });
  test.each<[string, Partial<Facts>, Partial<Facts>, string]>([
    ['as it was', {}, {}, 'ok'],
    ['archived, whatever else it is', {}, { isArchived: true, isShared: true }, 'archived'],
    ['shared', {}, { isShared: true }, 'shared'],
    ['shared as it was', teams('T1', 'T2'), teams('T2', 'T1', 'T1'), 'ok'],
    ['shared with one more organization', teams('T1', 'T2'), teams('T1', 'T2', 'T3'), 'shared'],
    ['shared as it was, where Slack names no organization', { isShared: true }, { isShared: true }, 'shared'],
    ['shared with one organization less', teams('T1', 'T2'), teams('T1'), 'ok'],
    ['no longer shared, which leaves its organizations aside', {}, { isShared: false, teams: ['T1'] }, 'ok'],
    ['public', {}, { isPrivate: false }, 'became_public'],
    ['public as it was', { isPrivate: false }, { isPrivate: false }, 'ok'],
    ['private now', { isPrivate: false }, {}, 'ok'],
  ])('that is %s', async (_, before, now, standing) => {
    const { policies, facts, posture } = await open();
    Object.assign(facts, before);
    await policies.save('C1', policy, 0);
    const confirmed = await posture();
    Object.assign(facts, { isPrivate: true, ...now });
    expect(await policies.standing('C1')).toBe(standing);
    expect(await posture()).toEqual(confirmed);
  });

  test('without a policy depends on the present state', async () => {
    const { policies, facts, posture } = await open();
    expect(await policies.standing('C1')).toBe('ok');
    facts.isShared = true;
    expect(await policies.standing('C1')).toBe('shared');
    facts.isArchived = true;
    expect(await policies.standing('C1')).toBe('archived');
    expect(await posture()).toBeUndefined();
  });

  test('is read from Slack with the maximum age that the caller accepts', async () => {
    const { policies, asked } = await open();
    const here = await policies.here('C1');
    expect(asked).toEqual([]);
    expect(await here.standing(5_000)).toBe('ok');
    expect(await policies.standing('C1')).toBe('ok');
    expect(asked).toEqual([
      ['C1', 5_000],
      ['C1', undefined],
    ]);
  });
});

test('an organization that an event names is kept where Slack lists none, until it leaves', async () => {
  const { policies, facts, posture } = await open();
  await policies.save('C1', policy, 0);
  await policies.noteOrganization('C1', 'T1', true);
  facts.isShared = true;
  const shown = await policies.posture('C1');
  expect(shown).toEqual({ isShared: true, isPrivate: true, teams: ['T1'] });
  expect(await policies.confirm('C1', shown)).toBe(true);
  expect(await policies.standing('C1')).toBe('ok');
  await policies.noteOrganization('C1', 'T2', true);
  expect(await policies.standing('C1')).toBe('shared');
  expect(await posture()).toEqual(shown);
  await policies.noteOrganization('C1', 'T2', false);
  expect(await policies.standing('C1')).toBe('ok');
  // A new version of the policy keeps what is known of the channel.
  expect(await policies.save('C1', policy, 1)).toBe(true);
  expect(await policies.standing('C1')).toBe('ok');
  // A channel without a policy keeps no organizations.
  await policies.noteOrganization('C2', 'T1', true);
  expect(await policies.get('C2')).toBeUndefined();
});

test('a channel that was confirmed before organizations were noted is confirmed for none', async () => {
  const { policies, facts, store, posture } = await open();
  await createKeyvAdapter(store, 'policy').set(
    'C1',
    JSON.stringify({ policy, posture: { isShared: true, isPrivate: true } }),
  );
  Object.assign(facts, { isShared: true, teams: ['T1'] });
  expect(await policies.standing('C1')).toBe('shared');
  await policies.save('C1', policy, 0);
  expect(await posture()).toEqual({ isShared: true, isPrivate: true, teams: [] });
});

describe('an admin who confirms a channel', () => {
  test('confirms the state that was shown, and keeps the policy', async () => {
    const { policies, facts, posture } = await open();
    await policies.save('C1', policy, 0);
    Object.assign(facts, { isShared: true, teams: ['T2', 'T1', 'T2'] });
    const shown = await policies.posture('C1');
    expect(shown).toEqual({ isPrivate: true, isShared: true, teams: ['T1', 'T2'] });
    expect(await policies.confirm('C1', shown)).toBe(true);
    expect(await policies.standing('C1')).toBe('ok');
    expect(await posture()).toEqual(shown);
    expect(await policies.get('C1')).toEqual({ ...policy, version: 1 });
  });

  test('confirms nothing when the state has changed meanwhile, or where there is no policy', async () => {
    const { policies, facts, posture } = await open();
    expect(await policies.confirm('C1', await policies.posture('C1'))).toBe(false);
    expect(await posture()).toBeUndefined();
    await policies.save('C1', policy, 0);
    facts.isShared = true;
    const shown = await policies.posture('C1');
    facts.isPrivate = false;
    expect(await policies.confirm('C1', shown)).toBe(false);
    expect(await posture()).toEqual(asFound);
  });
});
