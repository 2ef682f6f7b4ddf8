import type { View, ViewPart } from '../../core/view.ts';
import { within } from '../../core/within.ts';
import type { Request } from '../../engine/context/request.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { IncomingPayload } from '../inbound/incoming.ts';
import { type Ack, type FlowContext, postEphemeral, storeWithinMs } from './context.ts';

/** What was asked with a command, a click or a shortcut, from its acknowledgement to its answer. */
export async function ask(context: FlowContext, asked: IncomingPayload, ack: Ack): Promise<void> {
  const { request } = asked;
  if (asked.responseUrl !== undefined) context.urls.keep(request.place, request.actor, asked.responseUrl);
  const urgency = context.engine.urgency(request);
  if (asked.trigger !== undefined && (urgency === 'form' || asked.opens)) {
    await open(context, asked, asked.trigger, ack);
  } else if (urgency === 'read') {
    await ack();
    await read(context, request);
  } else {
    await change(context, request, (words) => ack(words), asked.request.ask.kind === 'line');
  }
}

/**
 * Reading changes nothing, so it is answered even when the store is away; a payload that was here before is not.
 */
export async function read(context: FlowContext, request: Request): Promise<void> {
  const stored = await within(context.engine.receive(request), storeWithinMs);
  if (stored.kind === 'done' && !stored.value) return;
  if (stored.kind !== 'done')
    context.log.warn({ request: request.id, stored: stored.kind }, 'a question is answered without being stored');
  await context.engine.handle(request);
}

export const notStored =
  'Nothing was started: the database did not take the request within two seconds. If it takes it late, I will say so here; otherwise ask again.';
export const storedLate = 'The database did take the request late: it goes on now.';

/**
 * Acknowledged when it is stored. When the store is slow the person is told that nothing was started, and the request
 * may still be stored a moment later. Then it stands in the store like any other and would run after the next start, so
 * it runs now, and the person is told. A request that is stored runs; one that is not does not; and what was said about
 * it is corrected.
 */
async function change(
  context: FlowContext,
  request: Request,
  say: (words?: string) => Promise<boolean>,
  canSayWhenAcknowledging: boolean,
): Promise<void> {
  const storing = context.engine.receive(request);
  const stored = await within(storing, storeWithinMs);
  if (stored.kind === 'done') {
    await say();
    if (stored.value) await context.engine.handle(request);
    return;
  }
  context.log.error(
    { request: request.id, ...(stored.kind === 'failed' ? { err: stored.error } : {}) },
    'a request could not be stored in time',
  );
  const isSaid = await say(canSayWhenAcknowledging ? notStored : undefined);
  if (!isSaid || !canSayWhenAcknowledging) await postEphemeral(context, request.place, request.actor, notStored);
  if (stored.kind === 'failed') return;
  const late = await storing.catch((error: unknown) => {
    context.log.error({ request: request.id, err: error }, 'a request was not stored');
    return false;
  });
  if (!late) return;
  await postEphemeral(context, request.place, request.actor, storedLate);
  await context.engine.handle(request);
}

const alreadyAsked: View = {
  summary: 'This was asked already',
  parts: [{ kind: 'notice', tone: 'info', text: 'This was asked already. Close this and ask again for a new form.' }],
};
const noForm: View = {
  summary: 'The database did not answer',
  parts: [
    {
      kind: 'notice',
      tone: 'error',
      text: 'Nothing was started: the database did not answer. Close this and try again in a moment.',
    },
  ],
};

/** Well past what a slow store needs; after it the modal says so. */
const formWithinMs = 20_000;

async function open(context: FlowContext, asked: IncomingPayload, trigger: string, ack: Ack): Promise<void> {
  const { request } = asked;
  // The trigger runs out while anything else is done.
  const [stored, viewId] = await Promise.all([
    within(context.engine.receive(request, 'opens'), formWithinMs),
    context.modals.openLoading(trigger, asked.viewId),
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
      'a form was asked for, and the request not stored',
    );
    await context.modals.show(viewId, { view: noForm });
    return;
  }
  try {
    const content = await context.engine.form(request);
    const isShown = await context.modals.show(viewId, content);
    if (!isShown && 'form' in content) await context.engine.dropForm(content.form.id, request.actor);
  } catch (error) {
    context.log.error({ request: request.id, err: error, why: sayFault(faultOf(error)) }, 'a form could not be shown');
    const text = 'Something is wrong on my side, and the form cannot be shown. Nothing was started; the log says why.';
    await context.modals.show(viewId, { view: { summary: text, parts: [{ kind: 'notice', tone: 'error', text }] } });
  }
}

/** Slack opened no modal: a button brings a new trigger. What a shortcut opens no button can: it is used again. */
async function offer(context: FlowContext, { ask, place, actor }: Request): Promise<void> {
  const intent =
    ask.kind === 'line'
      ? ({ do: 'form', line: ask.line.slice(0, 1_900) } as const)
      : ask.kind === 'intent'
        ? ask.intent
        : undefined;
  const text = `Slack did not open the form in time. Nothing was started.${intent === undefined ? ' Use the shortcut again.' : ''}`;
  const parts: ViewPart[] = [{ kind: 'text', text }];
  if (intent !== undefined)
    parts.push({ kind: 'buttons', buttons: [{ label: 'Open the form', intent, opens: true, style: 'primary' }] });
  await context.messenger.postEphemeral(place, actor, { summary: text, parts });
}
