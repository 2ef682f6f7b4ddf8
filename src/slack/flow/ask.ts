import type { Part, View } from '../../core/view.ts';
import type { Request } from '../../engine/request.ts';
import { faultOf, sayFault } from '../faults.ts';
import type { Incoming } from '../inbound/incoming.ts';
import { type Ack, type Kit, storeWithinMs, whisper, within } from './kit.ts';

/** What was asked with a command, a click or a shortcut, from its acknowledgement to its answer. */
export async function ask(kit: Kit, asked: Incoming, ack: Ack): Promise<void> {
  const { request } = asked;
  if (asked.responseUrl !== undefined) kit.urls.keep(request.place, request.actor, asked.responseUrl);
  const urgency = kit.engine.urgency(request);
  if (asked.trigger !== undefined && (urgency === 'form' || asked.opens)) {
    await open(kit, asked, asked.trigger, ack);
  } else if (urgency === 'read') {
    await ack();
    await read(kit, request);
  } else {
    await change(kit, request, (words) => ack(words), asked.request.ask.kind === 'line');
  }
}

/**
 * Reading changes nothing, so it is answered even when the store is away; a payload that was here before is not.
 */
export async function read(kit: Kit, request: Request): Promise<void> {
  const stored = await within(kit.engine.receive(request), storeWithinMs);
  if (stored.kind === 'done' && !stored.value) return;
  if (stored.kind !== 'done')
    kit.log.warn({ request: request.id, stored: stored.kind }, 'a question is answered without being stored');
  await kit.engine.handle(request);
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
  kit: Kit,
  request: Request,
  say: (words?: string) => Promise<boolean>,
  canSayWhenAcknowledging: boolean,
): Promise<void> {
  const storing = kit.engine.receive(request);
  const stored = await within(storing, storeWithinMs);
  if (stored.kind === 'done') {
    await say();
    if (stored.value) await kit.engine.handle(request);
    return;
  }
  kit.log.error(
    { request: request.id, ...(stored.kind === 'failed' ? { err: stored.error } : {}) },
    'a request could not be stored in time',
  );
  const isSaid = await say(canSayWhenAcknowledging ? notStored : undefined);
  if (!isSaid || !canSayWhenAcknowledging) await whisper(kit, request.place, request.actor, notStored);
  if (stored.kind === 'failed') return;
  const late = await storing.catch((error: unknown) => {
    kit.log.error({ request: request.id, err: error }, 'a request was not stored');
    return false;
  });
  if (!late) return;
  await whisper(kit, request.place, request.actor, storedLate);
  await kit.engine.handle(request);
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

async function open(kit: Kit, asked: Incoming, trigger: string, ack: Ack): Promise<void> {
  const { request } = asked;
  // The trigger runs out while anything else is done.
  const [stored, viewId] = await Promise.all([
    within(kit.engine.receive(request, 'opens'), formWithinMs),
    kit.modals.openLoading(trigger, asked.viewId),
    ack(),
  ]);
  if (stored.kind === 'done' && !stored.value) {
    if (viewId !== undefined) await kit.modals.show(viewId, { view: alreadyAsked });
    return;
  }
  if (viewId === undefined) return offer(kit, request);
  if (stored.kind !== 'done') {
    kit.log.error(
      { request: request.id, ...(stored.kind === 'failed' ? { err: stored.error } : {}) },
      'a form was asked for, and the request not stored',
    );
    await kit.modals.show(viewId, { view: noForm });
    return;
  }
  try {
    const content = await kit.engine.form(request);
    const isShown = await kit.modals.show(viewId, content);
    if (!isShown && 'form' in content) await kit.engine.dropForm(content.form.id, request.actor);
  } catch (error) {
    kit.log.error({ request: request.id, err: error, why: sayFault(faultOf(error)) }, 'a form could not be shown');
    const text = 'Something is wrong on my side, and the form cannot be shown. Nothing was started; the log says why.';
    await kit.modals.show(viewId, { view: { summary: text, parts: [{ kind: 'notice', tone: 'error', text }] } });
  }
}

/** Slack opened no modal: a button brings a new trigger. What a shortcut opens no button can: it is used again. */
async function offer(kit: Kit, { ask, place, actor }: Request): Promise<void> {
  const intent =
    ask.kind === 'line'
      ? ({ do: 'form', line: ask.line.slice(0, 1_900) } as const)
      : ask.kind === 'intent'
        ? ask.intent
        : undefined;
  const text = `Slack did not open the form in time. Nothing was started.${intent === undefined ? ' Use the shortcut again.' : ''}`;
  const parts: Part[] = [{ kind: 'text', text }];
  if (intent !== undefined)
    parts.push({ kind: 'buttons', buttons: [{ label: 'Open the form', intent, opens: true, style: 'primary' }] });
  await kit.desk.whisper(place, actor, { summary: text, parts });
}
