import { z } from 'zod';
import { createSettings } from '../../store/settings.ts';
import type { EngineContext } from '../context/engine-context.ts';

const schema = z.object({ isOn: z.boolean() });

const choices = ({ store }: Pick<EngineContext, 'store'>) => createSettings(store, 'direct-messages', schema);

/** Whether requests that nobody answers may be sent to this person as a direct message: yes, until they say no on Home. */
export async function wantsDirectMessages(context: Pick<EngineContext, 'store'>, user: string): Promise<boolean> {
  return (await choices(context).get(user))?.isOn ?? true;
}

export async function setDirectMessages(
  context: Pick<EngineContext, 'store'>,
  user: string,
  isOn: boolean,
): Promise<void> {
  await choices(context).change(user, () => ({ isOn }));
}
