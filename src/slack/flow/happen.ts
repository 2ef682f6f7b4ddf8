import { faultOf, sayFault } from '../faults.ts';
import type { Happening } from '../inbound/event.ts';
import { notStored, read } from './ask.ts';
import { type Ack, type Kit, storeWithinMs, whisper, within } from './kit.ts';

/**
 * What Slack tells us. A line is acknowledged when it is stored, anything else at once: nothing is lost when Slack
 * sends it again, and the directory's answers grow old within a minute anyway.
 */
export async function happen(kit: Kit, happening: Happening, ack: Ack, isFirst: boolean): Promise<void> {
  if (happening.kind === 'said') return heard(kit, happening, ack, isFirst);
  await ack();
  switch (happening.kind) {
    case 'home':
      return showHome(kit, happening.user);
    case 'channel':
      kit.directory.forget.channel(happening.id);
      if (happening.change !== undefined) {
        await kit.engine.changed({ kind: 'channel', id: happening.id, change: happening.change });
      }
      return;
    case 'members':
      return kit.directory.forget.channel(happening.channel);
    case 'person':
      return kit.directory.forget.person(happening.id);
    case 'group':
      return kit.directory.forget.groups();
    case 'revoked':
      return kit.web.revoke(happening.why);
  }
}

async function heard(
  kit: Kit,
  { incoming }: Extract<Happening, { kind: 'said' }>,
  ack: Ack,
  isFirst: boolean,
): Promise<void> {
  const { request } = incoming;
  if (kit.engine.urgency(request) === 'read') {
    await ack();
    return read(kit, request);
  }
  const storing = kit.engine.receive(request);
  const stored = await within(storing, storeWithinMs);
  if (stored.kind === 'done') {
    await ack();
    if (stored.value) await kit.engine.handle(request);
    return;
  }
  // Not acknowledged: Slack sends it again, and whichever delivery is stored first is the one that runs.
  kit.log.error(
    { request: request.id, ...(stored.kind === 'failed' ? { err: stored.error } : {}) },
    'a line could not be stored in time',
  );
  if (stored.kind === 'failed') {
    if (isFirst) await whisper(kit, request.place, request.actor, notStored);
    return;
  }
  if (await storing.catch(() => false)) await kit.engine.handle(request);
}

async function showHome(kit: Kit, user: string): Promise<void> {
  try {
    await kit.modals.publishHome(user, await kit.engine.home(user));
  } catch (error) {
    kit.log.error({ err: error, why: sayFault(faultOf(error)) }, 'showing Home');
  }
}
