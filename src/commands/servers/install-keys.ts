import { z } from 'zod';
import { type Order, orderTarget } from '../../core/account/account.ts';
import type { PlannedStep } from '../../core/plan/plan.ts';
import type { Json } from '../../core/text/json.ts';
import { firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';
import type { ProviderSshKey } from '../../provider/endpoints/ssh-keys.ts';
import { findSshKeys, keysOfServer, sayKey, titleOf } from '../ssh-keys/keys.ts';

/** A reinstallation installs the keys linked to the server, so other keys are linked first. */
export const keyStep = z.object({
  id: z.string(),
  name: z.string(),
  change: z.enum(['link', 'unlink']),
  key: z.int(),
  title: z.string(),
});

interface KeysPlan {
  readonly words: string;
  readonly facts: Readonly<Record<string, Json>>;
  readonly steps: readonly PlannedStep<z.infer<typeof keyStep>>[];
}

export async function planKeys(server: Order, words: readonly string[] | undefined, reader: Reader): Promise<KeysPlan> {
  const linked = await keysOfServer(reader, server.id);
  if (words === undefined) {
    if (linked === undefined)
      return { words: 'Unknown: those linked to the server could not be read.', facts: {}, steps: [] };
    return { words: `Those linked to it: ${say(linked)}`, facts: { 'linked SSH keys': idsOf(linked) }, steps: [] };
  }
  if (linked === undefined) {
    throw new Refusal('unavailable', `The SSH keys of ${server.label} could not be read just now.`, {
      hint: 'Nothing was sent. Try again in a minute, or leave ssh_keys out.',
      field: 'ssh_keys',
    });
  }
  const wanted = findSshKeys(words, await reader.sshKeys.list(), 'ssh_keys');
  const step = (change: 'link' | 'unlink') => (key: ProviderSshKey) => ({
    target: orderTarget(server),
    label: `${change} ${titleOf(key)}`,
    data: { id: server.id, name: server.label, change, key: key.id, title: titleOf(key) },
  });
  const lacks = (keys: readonly ProviderSshKey[]) => (key: ProviderSshKey) => !keys.some(({ id }) => id === key.id);
  return {
    words: say(wanted),
    facts: { 'linked SSH keys': idsOf(linked), 'SSH keys': idsOf(wanted) },
    steps: [...linked.filter(lacks(wanted)).map(step('unlink')), ...wanted.filter(lacks(linked)).map(step('link'))],
  };
}

function say(keys: readonly ProviderSshKey[]): string {
  return keys.length === 0 ? 'None' : firstFew(keys.map(sayKey), 5);
}

function idsOf(keys: readonly ProviderSshKey[]): number[] {
  return keys.map(({ id }) => id).toSorted((a, b) => a - b);
}
