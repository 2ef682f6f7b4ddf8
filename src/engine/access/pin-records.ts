import { z } from 'zod';
import type { Store } from '../../store/database.ts';
import { createSettings } from '../../store/settings.ts';
import type { PinRecords } from '../context/access-port.ts';

/** Null stands for a removed pin: the audit has who removed it. */
const pinSchema = z
  .object({ target: z.string(), why: z.string(), by: z.string(), channel: z.string(), since: z.number() })
  .nullable();

/** Stores the pins that people set, by the key of the target. Of two simultaneous pins of a target, the first holds. */
export function createPinRecords(store: Store): PinRecords {
  const settings = createSettings(store, 'pin', pinSchema);
  return {
    all: async () => [...(await settings.all()).values()].filter((pin) => pin !== null),
    add: (pin) => settings.change(pin.target, (before) => (before ? undefined : pin)),
    remove: ({ target, since }) => settings.change(target, (before) => (before?.since === since ? null : undefined)),
  };
}
