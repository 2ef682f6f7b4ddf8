import { emptyAccount } from '../../core/account/account.ts';
import { fillable, offered } from '../../core/command/offer.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { NotOne } from '../../core/targets/not-one.ts';
import { defined } from '../../core/text/defined.ts';
import { list } from '../../core/text/words.ts';
import { Refusal, type Suggestion } from '../../core/view/errors.ts';
import { accessAt } from '../access/access.ts';
import { maySeeFor } from '../access/allowed-names.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import { domainsOf, type EngineContext } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import { timeZoneOf } from './channel-of-policy.ts';
import type { CommandRequest } from './command-request.ts';

/** Removes suggestions that would be refused to this person at this place. */
export async function offeredHere(
  context: EngineContext,
  actor: string,
  place: Place,
  refusal: Refusal,
): Promise<Refusal> {
  if (refusal.suggestions.every(({ asksAccess }) => asksAccess === true)) return refusal;
  const [access, timeZone] = await Promise.all([accessAt(context, actor, place), timeZoneOf(context, actor)]);
  // Without the account, lines that name its targets are not offered.
  const account =
    context.accountReader.peek() ??
    (await context.accountReader.read({ staleOk: true }).catch(() => undefined)) ??
    emptyAccount;
  const isElsewhere = (command: AnyCommand) => place.kind !== 'channel' && command.isAboutChannel === true;
  return offered(refusal, {
    commands: context.commands,
    domains: domainsOf(context),
    reading: (command) => ({ account, maySee: maySeeFor(command, access), clock: { now: context.now(), timeZone } }),
    allows: (command, targets) =>
      !isElsewhere(command) && access.decide(command.capability, command.risk, targets).allowed,
  });
}

/** Removes names that do not exist or that the person may not know, since a form cannot offer them. */
export function fillableHere(context: EngineContext, command: AnyCommand, raw: RawArgs, access: Access) {
  // A form must open within seconds: without an account in memory, the words stay as typed.
  const account = context.accountReader.peek();
  if (!command.needsAccount || account === undefined) return { raw, left: [] };
  return fillable(command.args, raw, { account, maySee: maySeeFor(command, access) });
}

export function sayingLeft(left: readonly string[]): { readonly trouble?: string } {
  return left.length === 0 ? {} : { trouble: `Nothing you can use here is called ${list(left, 'or')}.` };
}

/** Turns candidates for one argument into complete lines for buttons, with the typed reason. */
export function withSuggestions(
  refusal: Refusal,
  request: Pick<CommandRequest, 'command' | 'raw' | 'reason'>,
): Refusal {
  const { field } = refusal;
  if (!(refusal instanceof NotOne) || field === undefined) return refusal;
  const isMany = request.command.args[field]?.many === true;
  const candidates = refusal.candidates.filter(({ isGroup }) => isMany || !isGroup);
  const lineWith = (values: readonly string[], others: RawArgs = {}) =>
    lineOf(request.command, { ...request.raw, ...others, [field]: values }, request.reason);
  const suggestions: Suggestion[] = candidates.map(({ label, values, others }) => ({
    label,
    command: lineWith(values, others),
  }));
  if (isMany && refusal.reason === 'ambiguous' && candidates.length > 1 && !candidates.some(({ isGroup }) => isGroup)) {
    const all = new Set(candidates.flatMap((candidate) => candidate.values));
    suggestions.push({ label: candidates.length === 2 ? 'both' : 'all of them', command: lineWith([...all]) });
  }
  return new Refusal(refusal.reason, refusal.text, {
    ...defined({ hint: refusal.hint }),
    suggestions: [...suggestions, ...refusal.suggestions],
    field,
  });
}
