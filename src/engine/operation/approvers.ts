import { noticeOf } from '../../core/policy.ts';
import { sayWaiting } from '../../core/say-rule.ts';
import { type Button, type Span, type Text, text } from '../../core/view.ts';
import { sentenceStart } from '../../core/words.ts';
import { personName, sayNames } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

/** The most approvers that are mentioned; the rest is counted. */
const mostMentioned = 5;

/** The people and groups who may approve, as mentions: "@ops or @lead". Without any in the rule the admins may. */
export function approversOf(
  { rule, requester, isSolo }: Pick<Operation, 'rule' | 'requester' | 'isSolo'>,
  admins: readonly string[],
): Text {
  const named = typeof rule === 'object' ? rule.by : [];
  const subjects = named.length > 0 ? named : admins.map((admin) => `user:${admin}` as const);
  const others = subjects.filter((subject) => isSolo || subject !== `user:${requester}`);
  if (others.length === 0) return 'nobody but the person who asked';
  const shown = others.slice(0, mostMentioned);
  const mentions = shown.map((subject): Span => {
    const id = subject.slice(subject.indexOf(':') + 1);
    return subject.startsWith('user:') ? { user: id } : { group: id };
  });
  const rest = others.length - shown.length;
  const last = rest > 0 ? `${rest} more` : undefined;
  const all: readonly Span[] = last === undefined ? mentions : [...mentions, last];
  return all.flatMap((span, at) => (at === 0 ? [span] : [at === all.length - 1 ? ' or ' : ', ', span]));
}

/** Names for a card that waits, in plain words: nobody is notified by them. */
export interface CardNames {
  readonly requesterName: string;
  /** Only where the rule lets the card mention no approver. */
  readonly approverNames?: string;
}

export async function namesOnCard(
  context: Pick<EngineContext, 'directory' | 'settings'>,
  operation: Pick<Operation, 'rule' | 'requester' | 'isSolo'>,
): Promise<CardNames> {
  const { directory, settings } = context;
  const requesterName = await personName(context, operation.requester);
  if (noticeOf(operation.rule) === 'mention') return { requesterName };
  return { requesterName, approverNames: await sayNames(directory, approversOf(operation, settings.admins)) };
}

/** "Needs 1 approval: @ops can approve." `cast`: the approvals that it has. */
export function approvalNeeded({ rule }: Pick<Operation, 'rule'>, cast: number, approvers: Text): Text {
  if (typeof rule !== 'object') return '';
  return text(`${sentenceStart(sayWaiting(rule, cast))}: `, approvers, ' can approve.');
}

/** No button where the rule notifies nobody. */
export function remindButtons({ id, rule }: Pick<Operation, 'id' | 'rule'>): Button[] {
  if (noticeOf(rule) === 'none') return [];
  return [{ label: 'Remind approvers', intent: { do: 'remind', operation: id } }];
}
