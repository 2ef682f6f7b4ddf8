import { z } from 'zod';
import type { Store } from '../../store/database.ts';
import { createSettings } from '../../store/settings.ts';
import type { SshKeyOwners } from '../context/access-port.ts';

/** Stores the owner of each SSH key by fingerprint, since the provider does not know people. */
export function createSshKeyOwners(store: Store): SshKeyOwners {
  const settings = createSettings(store, 'ssh-key-owner', z.object({ user: z.string() }));
  return {
    all: async () => new Map([...(await settings.all())].map(([fingerprint, { user }]) => [fingerprint, user])),
    set: async (fingerprint, user) => {
      await settings.change(fingerprint, () => ({ user }));
    },
  };
}
