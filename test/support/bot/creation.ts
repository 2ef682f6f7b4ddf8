import type { Store } from '../../../src/store/database.ts';
import { ops, people } from './fake-slack.ts';

/** A creation that the provider has accepted: its report may come. */
export async function startedCreation(store: Store, id: string, more: { startedAt?: number; command?: string } = {}) {
  const { startedAt = store.now(), command = 'create' } = more;
  await store.operations.insert(
    {
      id,
      command,
      args: {},
      channel: ops,
      requester: people.operator ?? '',
      risk: 'dangerous',
      rule: { rule: 'none', isSolo: false },
      policyVersion: '1',
      plan: { title: 'Create web-1', subject: [], targets: [], effect: '', details: [], facts: {} },
      factsHash: '',
      state: 'done',
      startedAt,
      endedAt: startedAt,
    },
    [{ n: 0, target: 'account:account', label: 'web-1', data: {} }],
  );
  return id;
}
