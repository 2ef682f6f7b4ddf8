import { defined } from '../../core/text/defined.ts';
import type { Request } from '../context/request.ts';
import type { CommandRequest, Way } from './command-request.ts';

/** The fields of a button beside its line. */
export function fromButton({ ask }: Request): Pick<CommandRequest, 'alert' | 'under' | 'anyway' | 'replaces'> {
  if (ask.kind !== 'intent' || ask.intent.do !== 'run') return {};
  const { in: under, anyway, replaces, alert } = ask.intent;
  return defined({ under, anyway, replaces, alert });
}

export function wayOf({ ask }: Request, isShared: boolean): Way | undefined {
  if (isShared) return { kind: 'share' };
  if (ask.kind === 'line' && ask.isMention) return { kind: 'mention' };
  if (ask.kind !== 'intent') return undefined;
  if (ask.intent.do === 'share') return { kind: 'share', answer: ask.intent.answer };
  return ask.intent.do === 'refresh' ? { kind: 'refresh' } : undefined;
}
