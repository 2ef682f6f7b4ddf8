import type { Vote } from '../../core/view/intent.ts';
import type { Request } from '../context/request.ts';
import { dialogOf, type TypedLine } from '../context/typed-line.ts';

/** A read is acknowledged at once, a change once it is stored, and a form by opening its dialog. */
export type Acknowledgement = 'read' | 'change' | 'form';

/** Votes that need a typed line. */
const opensForm: readonly Vote[] = ['decline', 'change'];

export function acknowledgementOf({ ask }: Pick<Request, 'ask'>, typed: TypedLine | undefined): Acknowledgement {
  if (ask.kind === 'submit') return 'change';
  if (ask.kind === 'intent') {
    if (ask.intent.do === 'vote') return opensForm.includes(ask.intent.vote) ? 'form' : 'change';
    if (['alert', 'remind', 'ask-access', 'favorite'].includes(ask.intent.do)) return 'change';
    if (ask.intent.do === 'home' || ask.intent.do === 'why') return 'read';
    if (['form', 'open', 'reveal', 'review', 'access', 'notifications'].includes(ask.intent.do)) return 'form';
  }
  return typed === undefined ? 'form' : ofLine(typed);
}

function ofLine(typed: TypedLine): Acknowledgement {
  const { parsed } = typed;
  if (parsed.kind !== 'command') return 'read';
  if (parsed.missing.length > 0 || dialogOf(typed) !== undefined) return 'form';
  return parsed.command.kind === 'query' ? 'read' : 'change';
}
