import type { View } from '../../core/view/view.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { Happening } from '../inbound/event.ts';
import type { IncomingPayload } from '../inbound/read-payload.ts';
import { start } from './accept-request.ts';
import { type Ack, type FlowContext, notStored, postEphemeral } from './context.ts';

/**
 * Handles Slack's events. A command line is acknowledged when it is stored, since Slack delivers unacknowledged events
 * again. Most others are acknowledged at once: the directory's cache expires within a minute anyway.
 */
export async function happen(context: FlowContext, happening: Happening, ack: Ack, isFirst: boolean): Promise<void> {
  const { forget } = context.directory;
  if (happening.kind === 'said') return heard(context, happening.incoming, ack, isFirst);
  if (happening.kind === 'moved') return moved(context, happening, ack);
  await ack();
  if (happening.kind === 'home') return showHome(context, happening.user, () => context.engine.home(happening.user));
  if (happening.kind === 'outdated') return forget.channel(happening.channel);
  if (happening.kind === 'person') return forget.person(happening.id);
  if (happening.kind === 'group') return forget.groups();
  if (happening.kind === 'revoked') return context.web.revoke(happening.why);
  forget.channel(happening.id);
  await context.engine.changed(happening);
}

/** Longer than Slack needs for its three deliveries. */
const withheldForMs = 10 * 60_000;

async function heard(context: FlowContext, incoming: IncomingPayload, ack: Ack, isFirst: boolean): Promise<void> {
  const { place, actor } = incoming.request;
  await start(context, incoming, ack, async (how) => {
    // Slack turns off the events over HTTP if nearly all of an hour fail, until a person turns them on.
    const isGivenUp = context.outage.ms() >= withheldForMs && (await ack());
    // Otherwise the event stays unacknowledged: Slack delivers it again, and the delivery that is stored first runs.
    const isNotified = isGivenUp || (how === 'failed' && isFirst);
    if (isNotified) await postEphemeral(context, place, actor, notStored);
    return isNotified;
  });
}

/** Acknowledges a channel's new id only after it is applied, since Slack reports it in no other way. */
async function moved(context: FlowContext, happening: Extract<Happening, { kind: 'moved' }>, ack: Ack): Promise<void> {
  for (const id of [happening.from, happening.to]) context.directory.forget.channel(id);
  await context.engine.changed(happening);
  await ack();
}

export async function showHome(context: Pick<FlowContext, 'modals' | 'log'>, user: string, home: () => Promise<View>) {
  try {
    await context.modals.publishHome(user, await home());
  } catch (error) {
    context.log.error({ err: error, why: sayFault(faultOf(error)) }, 'showing Home');
  }
}
