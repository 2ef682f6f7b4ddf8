import type { Glass } from '../../core/plan/glass.ts';
import { isEnd } from '../../core/plan/operation.ts';
import { waitMsOf } from '../../core/policy/policy.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Form } from '../../core/view/form.ts';
import type { Vote } from '../../core/view/intent.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { needsName } from '../operation/card.ts';
import { pinLines } from '../operation/card-details.ts';
import { type Operation, readOperation } from '../operation/record.ts';
import type { Ballot } from './ballot.ts';
import { mustBeAllowedToBreak, mustBeAllowedToClose } from './break-glass.ts';
import { closedWords, mustBeAllowed } from './vote.ts';

interface Question {
  readonly title: string;
  readonly submit: string;
  readonly label: string;
  readonly hint: string;
  readonly widget: 'text' | 'multiline';
}

/** The votes that need a line from the voter. */
const questions: Readonly<Partial<Record<Vote, Question>>> = {
  decline: {
    title: 'Decline',
    submit: 'Decline',
    label: 'Why not?',
    hint: 'Shown on the card and to the person who asked.',
    widget: 'multiline',
  },
  change: {
    title: 'Ask for changes',
    submit: 'Send back',
    label: 'What should be different?',
    hint: 'Shown on the card and to the person who asked, who can send it again with changes. This request ends.',
    widget: 'text',
  },
};

function moveForm({ plan, rule, startsAt }: Operation, id: string): Form {
  const again =
    typeof rule === 'object' ? ['The approvals are for its present hour: the new hour needs new ones.'] : [];
  return {
    id,
    title: 'Move',
    submit: 'Move',
    notes: [plan.title, ...again],
    fields: [
      {
        ...{ name: 'words', label: 'When', hint: 'In your time zone.', widget: 'moment', optional: false },
        ...(startsAt === null ? {} : { initial: startsAt }),
      },
    ],
  };
}

function glassForm(operation: Operation, id: string): Form {
  const { plan, rule } = operation;
  const countdown = waitMsOf(rule) > 0 ? ' and without its countdown' : '';
  return {
    id,
    title: 'Break glass',
    submit: 'Break glass',
    notes: [
      plan.title,
      plan.effect,
      ...pinLines(operation),
      `It runs at once, without approvals${countdown}. Admins know at once, and somebody else closes it with what they found.`,
    ],
    fields: [
      {
        name: 'reason',
        label: 'Why can it not wait?',
        hint: 'At least ten letters or digits. The channel, the admins and the audit have it.',
        widget: 'multiline',
        optional: false,
        ...(plan.reason === undefined ? {} : { initial: plan.reason }),
      },
      ...(needsName(rule)
        ? [
            {
              name: 'words',
              label: `Type ${plan.typedName ?? 'the name'} to run it`,
              widget: 'text',
              optional: false,
            } as const,
          ]
        : []),
    ],
  };
}

function foundForm({ plan }: Operation, glass: Glass, id: string): Form {
  return {
    id,
    title: 'Close break glass',
    submit: 'Close break glass',
    notes: [plan.title, `“${glass.why}”`],
    fields: [
      {
        name: 'reason',
        label: 'What did you find?',
        hint: 'At least ten letters or digits. The channel, the admins and the audit have it.',
        widget: 'multiline',
        optional: false,
      },
    ],
  };
}

/**
 * The form that requires the name of the target, or the reason to decline, before the vote counts. A person who may not
 * cast it is refused here, before they write anything.
 */
export async function voteForm(
  context: EngineContext,
  { operation: operationId, user, vote }: Pick<Ballot, 'operation' | 'user' | 'vote'>,
  formId: string,
): Promise<Form> {
  const row = await context.store.operations.find(operationId);
  if (row === undefined) throw new Refusal('closed', 'This request is no longer available.');
  const operation = readOperation(row);
  const isHeld = vote === 'continue' && operation.heldAt !== null && !isEnd(operation.state);
  if (vote === 'found') return foundForm(operation, await mustBeAllowedToClose(context, operation, user), formId);
  if (vote === 'move' && operation.state === 'scheduled') return moveForm(operation, formId);
  if (operation.state !== 'waiting' && !isHeld) throw new Refusal('closed', closedWords(operation));
  if (vote === 'glass') {
    await mustBeAllowedToBreak(context, operation, user);
    return glassForm(operation, formId);
  }
  if (vote !== 'withdraw') await mustBeAllowed(context, operation, { user, vote });
  const question = questions[vote];
  if (question !== undefined) {
    const { title, submit, ...field } = question;
    return {
      id: formId,
      title,
      submit,
      notes: [operation.plan.title],
      fields: [{ name: 'words', optional: false, ...field }],
    };
  }
  if (vote === 'withdraw')
    return { id: formId, title: 'Withdraw', submit: 'Withdraw', notes: [operation.plan.title], fields: [] };
  return {
    id: formId,
    title: isHeld ? 'Continue' : 'Approve',
    submit: isHeld ? 'Continue' : 'Approve',
    notes: [operation.plan.title, operation.plan.effect, ...pinLines(operation)],
    fields: [
      {
        name: 'words',
        label: `Type ${operation.plan.typedName ?? 'the name'} to ${isHeld ? 'continue' : 'approve'}`,
        widget: 'text',
        optional: false,
      },
    ],
  };
}
