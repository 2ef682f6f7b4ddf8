import { within } from '../../core/async/within.ts';
import { strikePrivateKeys } from '../../core/text/strike-secrets.ts';
import { storedLate } from '../../core/view/errors.ts';
import { notice, says } from '../../core/view/view.ts';
import type { Accepted } from '../../engine/context/ports.ts';
import type { Request } from '../../engine/context/request.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { IncomingPayload } from '../inbound/read-payload.ts';
import { type Ack, type FlowContext, notStored, postEphemeral, storeWithinMs, whenStored } from './context.ts';

/** Handles a command, a click or a shortcut, from its acknowledgement to its answer. */
export async function acceptRequest(context: FlowContext, incoming: IncomingPayload, ack: Ack): Promise<void> {
  const { request } = incoming;
  if (incoming.isGroupDirect) context.directory.noteGroupDirect(request.place.channel);
  if (incoming.responseUrl !== undefined) context.urls.keep(request, incoming.responseUrl);
  const isCommand = request.ask.kind === 'line';
  await start(context, incoming, ack, async () => {
    // Only the acknowledgement of a command can contain text.
    const isAcknowledged = await ack(isCommand ? notStored : undefined);
    if (!isAcknowledged || !isCommand) await postEphemeral(context, request.place, request.actor, notStored);
    return true;
  });
}

/**
 * Handles every payload but submitted forms. `onNotStored` returns whether it notified the person; it acknowledges the
 * payload unless Slack should deliver it again.
 */
export async function start(
  context: FlowContext,
  incoming: IncomingPayload,
  ack: Ack,
  onNotStored: (how: 'late' | 'failed') => Promise<boolean>,
): Promise<void> {
  const { request, trigger } = incoming;
  const { place, actor } = request;
  // Slack reports a new member to one process only, which may be another one.
  if (request.ask.kind === 'line' && place.kind === 'channel') context.directory.sawIn(place.channel, actor);
  const modal = trigger === undefined ? 'impossible' : incoming.opens ? 'wanted' : 'possible';
  const accepted = context.engine.accept(request, modal);
  if (accepted.acknowledge === 'with-answer') throw new Error('a submitted form is answered by submit.ts');
  if (accepted.acknowledge === 'with-form') return open(context, incoming, accepted, ack);
  if (accepted.acknowledge === 'now') return read(context, request, accepted, ack);
  await whenStored(context, request, accepted, {
    isNew: async () => {
      await ack();
      await accepted.run();
    },
    isAgain: async () => void (await ack()),
    notStored: onNotStored,
    isLate: async (isNotified) => {
      if (isNotified) await postEphemeral(context, request.place, request.actor, storedLate);
      await accepted.run();
    },
  });
}

type Started<A extends Accepted['acknowledge']> = Extract<Accepted, { acknowledge: A }>;

/** Answers a read even without the store, since reads change nothing. A repeated payload is not answered again. */
async function read(context: FlowContext, request: Request, accepted: Started<'now' | 'when-stored'>, ack: Ack) {
  const [stored] = await Promise.all([within(accepted.stored, storeWithinMs), ack()]);
  if (stored.kind === 'done' && !stored.value) return;
  if (stored.kind !== 'done')
    context.log.warn({ request: request.id, stored: stored.kind }, 'answering a read that was not stored');
  await accepted.run();
}

const alreadyAsked = notice('info', 'This was requested already. Close this and ask again for a new form.');
const noForm = notice(
  'error',
  'Nothing was started: the database did not answer. Close this and try again in a moment.',
);
const broken = notice(
  'error',
  'Something is wrong with the bot, and the form cannot be shown. Nothing was started; details are in the log.',
);

/** More time than a slow store needs. After it the modal shows an error. */
const formWithinMs = 20_000;

async function open(
  context: FlowContext,
  { request, trigger = '', viewId: onTopOf }: IncomingPayload,
  accepted: Started<'with-form'>,
  ack: Ack,
): Promise<void> {
  // All three at once, since the trigger expires soon.
  const [stored, viewId] = await Promise.all([
    within(accepted.stored, formWithinMs),
    context.modals.openLoading(trigger, onTopOf),
    ack(),
  ]);
  if (stored.kind === 'done' && !stored.value) {
    if (viewId !== undefined) await context.modals.show(viewId, { view: alreadyAsked });
    return;
  }
  if (viewId === undefined) return offer(context, request);
  if (stored.kind !== 'done') {
    context.log.error(
      { request: request.id, ...(stored.kind === 'failed' ? { err: stored.error } : {}) },
      'the request for a form was not stored',
    );
    await context.modals.show(viewId, { view: noForm });
    return;
  }
  try {
    const content = await accepted.run();
    const shown = await context.modals.show(viewId, content);
    if (shown === 'gone' && 'form' in content) await context.engine.dropForm(content.form.id, request.actor);
  } catch (error) {
    context.log.error({ request: request.id, err: error, why: sayFault(faultOf(error)) }, 'could not show a form');
    await context.modals.show(viewId, { view: broken });
  }
}

/** Offers a button with a new trigger after Slack opened no modal. For a shortcut, the person has to use it again. */
async function offer(context: FlowContext, { ask, place, actor }: Request): Promise<void> {
  const intent =
    ask.kind === 'line'
      ? ({ do: 'form', line: strikePrivateKeys(ask.line).slice(0, 1_900) } as const)
      : ask.kind === 'intent'
        ? ask.intent
        : undefined;
  const text = `Slack did not open the form in time. Nothing was started.${intent === undefined ? ' Use the shortcut again.' : ''}`;
  const button = intent && ({ label: 'Open the form', intent, opens: true, style: 'primary' } as const);
  await context.messenger.postEphemeral(place, actor, says(text, button && [button]));
}
