import type { Target } from '../../core/account/account.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { Rule } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { lettersIn } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { reasonName } from '../../core/view/form.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { Place, Request } from '../context/request.ts';

/** A request to run a command, from a typed line, a button with a line, or a submitted form. */
export interface CommandRequest {
  readonly id: string;
  /** The time at which the bot received it. */
  readonly at: number;
  readonly actor: string;
  readonly place: Place;
  /** The person's own place, if the request is for another one. */
  readonly from?: Place;
  readonly command: AnyCommand;
  readonly raw: RawArgs;
  /** The channel that the person chose in a direct message. */
  readonly under?: string;
  /** How the response is shown; if absent, only to the requester. */
  readonly way?: Way;
  /** Explains how the line was read, if the name of the command was not typed. */
  readonly note?: string;
  readonly typed?: string;
  /** The line names the command in other words. The card says so and waits for a confirmation under every rule. */
  readonly isTaken?: true;
  /** The typed words for which the command has no use, which the card names. */
  readonly left?: string;
  /** Make the request although the same one is waiting. */
  readonly anyway?: true;
  /** The id of the request that this one replaces. */
  readonly replaces?: string;
  /** The alert whose button made the request. */
  readonly alert?: string;
  /** The reason as typed. */
  readonly reason?: string;
}

/** How a read was requested: decides who sees the response and where. `answer`: the private response to share. */
type Way =
  | { readonly kind: 'mention' }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'share'; readonly answer?: string };

/** The fields of a button beside its line. */
export function fromButton({ ask }: Request): Pick<CommandRequest, 'alert' | 'under' | 'anyway' | 'replaces'> {
  if (ask.kind !== 'intent' || ask.intent.do !== 'run') return {};
  const { in: under, anyway, replaces, alert } = ask.intent;
  return defined({ under, anyway, replaces, alert });
}

export function wayOf({ ask, place }: Request, isShared: boolean): Way | undefined {
  if (place.call !== undefined) return undefined;
  if (isShared) return { kind: 'share' };
  if (ask.kind === 'line' && ask.isMention) return { kind: 'mention' };
  if (ask.kind !== 'intent') return undefined;
  if (ask.intent.do === 'share') return { kind: 'share', answer: ask.intent.answer };
  return ask.intent.do === 'refresh' ? { kind: 'refresh' } : undefined;
}

/** Refuses a request without a reason, if the rule requires one. An argument of this name says it as well. */
export function mustGiveReason(rule: Rule, { command, raw, reason }: CommandRequest): void {
  if (typeof rule === 'string' || rule.reason !== true || lettersIn(reason ?? raw.reason?.join(' ') ?? '') > 0) return;
  throw lacksReason('The rule of this channel requires a reason.', { command, raw });
}

export function lacksReason(words: string, { command, raw }: Pick<CommandRequest, 'command' | 'raw'>): Refusal {
  return new Refusal('bad_value', words, {
    hint: 'Give it after `because`, or in the form.',
    field: reasonName,
    suggestions: [{ label: 'Give the reason…', command: lineOf(command, raw), isForm: true }],
  });
}

/** Replaces ids by names. Callers have checked that the person may read every target. */
export function withNames(raw: RawArgs, targets: readonly Target[]): RawArgs {
  const names = new Map(targets.map(({ id, name }) => [id, name]));
  return Object.fromEntries(
    Object.entries(raw).map(([arg, words]) => [arg, words.map((word) => names.get(word) ?? word)]),
  );
}
