import { lineOf } from '../../core/grammar/parse.ts';
import { sayDuration } from '../../core/text/words.ts';
import type { Vote } from '../../core/view/intent.ts';
import { type Button, formButton, plain, reviewButton, says, type Text, type View } from '../../core/view/view.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { openSession, type Remembered, type Session } from '../context/form-session.ts';
import type { SubmitAnswer } from '../context/ports.ts';
import { longestLineToRepeat, type Place, type Request } from '../context/request.ts';
import { commandForm, merged, toRaw } from './draw-form.ts';
import { reasonIn } from './request-fields.ts';

/** A form as it was submitted. `isAgain`: a crash interrupted it. */
export interface Submitted {
  readonly request: Request;
  readonly ask: Extract<Request['ask'], { kind: 'submit' }>;
  readonly isAgain: boolean;
}

/**
 * Answers the submission of an old form, which does nothing: offers its content to request again. Slack does not report
 * when a form was submitted, so its age counts from its opening. Undefined for a form that is on time, or that only
 * declines, withdraws or stops.
 */
export async function askAboutForm(
  context: EngineContext,
  { request: { actor, at }, ask: { values }, isAgain }: Submitted,
  { session, openedAt, isTooOld }: Remembered,
): Promise<SubmitAnswer | undefined> {
  if (!isTooOld || !begins(session)) return undefined;
  const words: Text = [
    'You opened this form at ',
    { date: openedAt },
    `, ${sayDuration(at - openedAt)} ago, and it arrived only now. Nothing was done. `,
  ];
  if (isAgain) return { kind: 'errors', errors: { '': plain(words).trim() } };
  const say = (more: string, button: Button) =>
    saidInDialog(context, actor, session.place, says([...words, more], [button]));
  if (session.kind === 'ask') {
    const line = String(values.line ?? '').slice(0, longestLineToRepeat);
    const intent = { do: 'run', line, in: String(values.channel ?? '') } as const;
    return say('Still wanted?', { label: 'Ask now', intent, style: 'primary' });
  }
  if (session.kind === 'vote')
    return say('Decide again if you still want it.', reviewButton('Show the request', session.operation));
  const command = commandAt(context, session.command);
  if (command === undefined) return undefined;
  const raw = merged(context, command, session, values);
  const line = lineOf(command, raw, reasonIn(context, values) ?? session.reason);
  const { replaces } = session;
  if (replaces !== undefined)
    return say('Still wanted?', { label: 'Schedule…', intent: { do: 'schedule', operation: replaces }, opens: true });
  if (line.length <= longestLineToRepeat)
    return say('Still wanted?', { ...formButton('Open the form again', line), style: 'primary' });
  const trouble = `${plain(words)}Send it again if you still want it.`;
  const form = await commandForm(context, actor, { ...session, raw: toRaw(raw) }, command, { trouble });
  return { kind: 'next', form };
}

/** Shows the view in the open dialog, whose clicks belong to this place. */
export async function saidInDialog(context: EngineContext, actor: string, place: Place, view: View) {
  const session = await openSession(context, actor, { kind: 'about', place });
  return { kind: 'said', view, place, session } as const;
}

function begins(session: Session): session is Extract<Session, { kind: 'ask' | 'command' | 'vote' }> {
  if (session.kind === 'vote')
    return !(['decline', 'change', 'withdraw', 'stop'] satisfies Vote[] as Vote[]).includes(session.vote);
  return session.kind === 'ask' || session.kind === 'command';
}
