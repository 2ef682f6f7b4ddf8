import type { Glass } from '../../core/plan/broken-glass.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { waitMsOf } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { Refusal } from '../../core/view/errors.ts';
import { type Field, hourFields, type UnopenedForm } from '../../core/view/form.ts';
import type { Vote } from '../../core/view/intent.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { protectionLines } from '../operation/card-details.ts';
import { type Operation, requestOf } from '../operation/read-operation.ts';
import { type Ballot, closedWords, nameField } from './ballot.ts';
import { mustBeAllowedToBreak, mustBeAllowedToClose } from './break-glass.ts';
import { mustBeAllowed } from './vote.ts';

/** A form whose button has the words of its title. */
function formOf(title: string, notes: readonly string[], fields: readonly Field[], submit = title): UnopenedForm {
  return { title, submit, notes, fields };
}

/** The votes that need a line from the voter. */
export const questions: Readonly<Partial<Record<Vote, { title: string; submit?: string; field: Field }>>> = {
  decline: {
    title: 'Decline',
    field: {
      ...{ name: 'words', label: 'Why not?', widget: 'multiline', optional: false },
      hint: 'Shown on the card and to the person who asked.',
    },
  },
  change: {
    title: 'Ask for changes',
    submit: 'Send back',
    field: {
      ...{ name: 'words', label: 'What should be different?', widget: 'text', optional: false },
      hint: 'Shown on the card and to the person who asked, who can send it again with changes. This request ends.',
    },
  },
};

function moveForm({ plan, rule, startsAt }: Operation): UnopenedForm {
  const again =
    typeof rule === 'object' ? ['The approvals are for its present hour: the new hour needs new ones.'] : [];
  return formOf('Move', [plan.title, ...again], hourFields(startsAt ?? undefined));
}

/** The reason to break the glass, and the finding that closes it. */
const reasonField = {
  name: 'reason',
  hint: 'At least ten letters or digits. The channel, the admins and the audit have it.',
  widget: 'multiline',
  optional: false,
} as const;

function glassForm(operation: Operation): UnopenedForm {
  const { plan, rule } = operation;
  const countdown = waitMsOf(rule) > 0 ? ' and without its countdown' : '';
  const words = `It runs at once, without approvals${countdown}. Admins know at once, and somebody else closes it with what they found.`;
  const initial = defined({ initial: plan.reason });
  return formOf(
    'Break glass',
    [plan.title, plan.effect, ...protectionLines(operation), words],
    [{ ...reasonField, label: 'Why can it not wait?', ...initial }, ...nameField(operation, 'run it')],
  );
}

function foundForm({ plan }: Operation, glass: Glass): UnopenedForm {
  const field = { ...reasonField, label: 'What did you find?' };
  return formOf('Close break glass', [plan.title, `“${glass.why}”`], [field]);
}

/**
 * The form that requires the name of the target, or the reason to decline, before the vote counts. A person who may not
 * cast it is refused here, before they write anything.
 */
export async function voteForm(
  context: EngineContext,
  { operation: operationId, user, vote }: Pick<Ballot, 'operation' | 'user' | 'vote'>,
): Promise<UnopenedForm> {
  const operation = await requestOf(context, operationId);
  const isHeld = vote === 'continue' && operation.heldAt !== null && !isEnd(operation.state);
  if (vote === 'found') return foundForm(operation, await mustBeAllowedToClose(context, operation, user));
  if (vote === 'move' && operation.state === 'scheduled') return moveForm(operation);
  if (operation.state !== 'waiting' && !isHeld) throw new Refusal('closed', closedWords(operation));
  if (vote === 'glass') {
    await mustBeAllowedToBreak(context, operation, user);
    return glassForm(operation);
  }
  if (vote !== 'withdraw') await mustBeAllowed(context, operation, { user, vote });
  const { title, effect } = operation.plan;
  const question = questions[vote];
  if (question !== undefined) return formOf(question.title, [title], [question.field], question.submit);
  if (vote === 'withdraw') return formOf('Withdraw', [title], []);
  const act = isHeld ? 'Continue' : 'Approve';
  return formOf(act, [title, effect, ...protectionLines(operation)], nameField(operation, act.toLowerCase()));
}
