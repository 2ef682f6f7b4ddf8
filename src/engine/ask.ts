import type { Asking } from '../core/command.ts';
import { Refusal, type Suggestion } from '../core/errors.ts';
import { lineOf, parse, type RawArgs, usage } from '../core/grammar/parse.ts';
import { NotOne, type Reading } from '../core/targets.ts';
import { plain, text } from '../core/view.ts';
import { sayDuration } from '../core/words.ts';
import { type Target, targetKey } from '../core/world.ts';
import { StoreUnavailable } from '../store/unavailable.ts';
import type { Footing } from './decide.ts';
import type { AnyAction, AnyCommand, AnyQuery } from './deps.ts';
import { frozenBy } from './freezes.ts';
import { type AuditEntry, domainsOf, type Kit } from './kit.ts';
import { menu } from './menu.ts';
import { operationId, propose, riskOf, show } from './propose.ts';
import type { Operation } from './records.ts';
import type { Place, Request } from './request.ts';
import { errorView, says } from './say.ts';
import { readingFor, whereToAct } from './where.ts';

/** A typed line, a button that types one, or a submitted form: all come through here. */
export interface Wish {
  readonly id: string;
  readonly actor: string;
  readonly place: Place;
  readonly command: AnyCommand;
  readonly raw: RawArgs;
}

/** What was answered, for the audit and the metrics. */
export type Answer = 'answered' | 'asked' | 'nothing_to_do' | 'refused' | 'failed' | 'not_understood';

/** A process that has just begun knows no domain yet; it reads them before it says that something is missing. */
async function understand(kit: Kit, line: string): Promise<ReturnType<typeof parse<AnyCommand>>> {
  const parsed = parse(line, kit.deps.commands, domainsOf(kit));
  if (parsed.kind !== 'command' || parsed.missing.length === 0 || kit.deps.world.peek() !== undefined) return parsed;
  // Without them it is asked for in full, as it was typed.
  await kit.deps.world.read().catch(() => undefined);
  return parse(line, kit.deps.commands, domainsOf(kit));
}

export async function askLine(kit: Kit, request: Request, place: Place, line: string): Promise<Answer> {
  const { desk } = kit.deps;
  const parsed = await understand(kit, line);
  if (parsed.kind === 'command' && parsed.missing.length === 0) {
    return fulfil(kit, { id: request.id, actor: request.actor, place, command: parsed.command, raw: parsed.raw });
  }
  const footing = await kit.footing(request.actor, place.channel);
  const welcome = footing.decide('none', 'safe', []);
  if (!welcome.allowed) {
    await desk.whisper(place, request.actor, says(text('Not here: ', welcome.because, '.')));
    return 'refused';
  }
  if (parsed.kind === 'menu') {
    await desk.whisper(place, request.actor, await menu(kit, footing));
    return 'answered';
  }
  if (parsed.kind === 'problem') {
    await desk.whisper(place, request.actor, errorView(parsed.refusal, line, kit.deps.log));
    return 'not_understood';
  }
  const given = lineOf(parsed.command, parsed.raw);
  const view = says(
    [
      { code: parsed.command.path },
      ` also needs ${parsed.missing.join(', ')}: `,
      { code: `/host ${usage(parsed.command)}` },
    ],
    [{ label: 'Fill in', intent: { do: 'form', line: given }, style: 'primary', opens: true }],
  );
  await desk.whisper(place, request.actor, view);
  return 'not_understood';
}

/** Never throws: what goes wrong is said to the person, privately. */
export async function fulfil(kit: Kit, wish: Wish, already?: unknown): Promise<Answer> {
  const doing = lineOf(wish.command, wish.raw);
  try {
    if (already !== undefined) throw already;
    return await attempt(kit, wish);
  } catch (error) {
    const told = error instanceof Refusal ? withSuggestions(error, wish) : error;
    await kit.deps.desk.whisper(wish.place, wish.actor, errorView(told, doing, kit.deps.log));
    const kind = error instanceof Refusal ? 'refused' : 'failed';
    await noteAnswer(kit, {
      kind,
      actor: wish.actor,
      channel: wish.place.channel,
      text: `${doing}: ${error instanceof Error ? error.message : 'an error'}`,
    });
    return kind;
  }
}

/** What was answered is not called wrong because it cannot be written down; then the log says it. */
async function noteAnswer(kit: Kit, entry: AuditEntry): Promise<void> {
  try {
    await kit.audit(entry);
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    kit.deps.log.error({ err: error, text: entry.text }, 'an answer is missing in the audit');
  }
}

export async function attempt(kit: Kit, wish: Wish): Promise<Answer> {
  const { command, actor } = wish;
  const { place, footing } = await whereToAct(kit, wish);
  const asking: Asking = { actor, channel: place.channel, thread: place.thread };
  const reading = await readingFor(kit, command, footing);
  const scene: Scene = { wish, place, footing, asking, reading };
  return command.kind === 'query' ? answer(kit, scene, command) : ask(kit, scene, command);
}

interface Scene {
  readonly wish: Wish;
  /** Where it is decided and shown: another channel than where it was asked, when asked in a direct message. */
  readonly place: Place;
  readonly footing: Footing;
  readonly asking: Asking;
  readonly reading: Reading;
}

async function answer(kit: Kit, { wish, footing, asking, reading }: Scene, command: AnyQuery): Promise<Answer> {
  const { desk } = kit.deps;
  const prepared = command.prepare(wish.raw, reading);
  const decision = footing.decide(command.capability, command.risk, prepared.targets);
  if (!decision.allowed) throw notAllowed(command, prepared.targets, decision);
  const view = await whileTelling(kit, wish, prepared.run(await kit.readContext(asking, footing)));
  await Promise.all([
    command.visibility === 'channel'
      ? desk.answer(wish.place, wish.actor, view)
      : desk.whisper(wish.place, wish.actor, view),
    noteAnswer(kit, {
      kind: 'answered',
      actor: wish.actor,
      channel: asking.channel,
      text: lineOf(command, prepared.canonical),
      isRead: true,
    }),
  ]);
  return 'answered';
}

async function ask(kit: Kit, { wish, place, footing, asking, reading }: Scene, command: AnyAction): Promise<Answer> {
  const { actor } = wish;
  const id = operationId(wish.id);
  // Worked on again after a crash: what it asked for is there, may be under way, and must not be told to wait for itself.
  const made = await kit.deps.store.operations.find(id);
  if (made !== undefined) {
    await show(kit, id);
    await sayWhere(kit, wish, made);
    return 'asked';
  }
  const prepared = command.prepare(wish.raw, reading);
  const decision = footing.decide(command.capability, command.risk, prepared.targets);
  if (!decision.allowed) throw notAllowed(command, prepared.targets, decision);
  await mustBeInChannel(kit, place);
  // Whoever names no target, such as who ends a freeze, is answered when the plan says what it is about.
  if (prepared.targets.length > 0) await mustNotBeFrozen(kit, place.channel, prepared.targets);
  const plan = await whileTelling(kit, wish, prepared.plan(await kit.readContext(asking, footing)));
  if (plan.nothingToDo !== undefined) {
    await kit.deps.desk.whisper(wish.place, actor, says(plan.nothingToDo));
    await kit.audit({
      kind: 'nothing_to_do',
      actor,
      channel: place.channel,
      text: `${plan.title}: ${plan.nothingToDo}`,
    });
    return 'nothing_to_do';
  }
  // The plan may touch more than was named, and may weigh more than its kind.
  const final = footing.decide(command.capability, riskOf(command, plan), plan.targets);
  if (!final.allowed) throw notAllowed(command, plan.targets, final);
  await mustNotBeFrozen(kit, place.channel, plan.targets);
  await mustBeFree(kit, id, plan.targets.map(targetKey));
  const proposed = await propose(kit, {
    id,
    command,
    canonical: prepared.canonical,
    plan,
    requester: actor,
    channel: place.channel,
    thread: place.thread,
    rule: final.rule,
    isSolo: final.isSolo,
    policyVersion: final.policyVersion,
  });
  await sayWhere(kit, wish, proposed);
  return 'asked';
}

async function sayWhere(kit: Kit, { place, actor }: Wish, { id, channel }: Pick<Operation, 'id' | 'channel'>) {
  if (channel === place.channel) return;
  const words = says(['The card is in ', { channel }, `, under its rules (${id}).`]);
  await kit.deps.desk.whisper(place, actor, words);
}

const tellAfterMs = 3_000;

/** Nobody waits in silence for a slow provider. */
async function whileTelling<T>(kit: Kit, wish: Wish, work: Promise<T>): Promise<T> {
  const timer = setTimeout(() => {
    const known = kit.deps.world.peek();
    const age = known === undefined ? '' : ` What I know is ${sayDuration(kit.deps.now() - known.readAt)} old.`;
    void kit.deps.desk.whisper(
      wish.place,
      wish.actor,
      says(`The provider is slow to answer; I am still waiting for it.${age}`),
    );
  }, tellAfterMs);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

function notAllowed(
  command: AnyCommand,
  targets: readonly { readonly name: string }[],
  decision: { readonly reason: Refusal['reason']; readonly because: Parameters<typeof plain>[0] },
): Refusal {
  const about =
    targets.length === 0
      ? ''
      : ` ${targets
          .map((target) => target.name)
          .slice(0, 3)
          .join(', ')}`;
  return new Refusal(decision.reason, `You may not \`${command.path}\`${about} here: ${plain(decision.because)}.`, {
    hint: `See \`/host why ${command.path}${about.replaceAll(',', '')}\`.`,
  });
}

async function mustBeInChannel(kit: Kit, place: Place): Promise<void> {
  const channel = await kit.deps.directory.channel(place.channel).catch(() => undefined);
  if (channel?.hasBot) return;
  throw new Refusal('impossible', 'I am not in this channel, so I cannot show the card that others have to see.', {
    hint: 'Type `/invite @Hostler` here and ask again. Nothing was started.',
  });
}

async function mustNotBeFrozen(kit: Kit, channel: string, targets: readonly Target[]): Promise<void> {
  const frozen = await frozenBy(kit, channel, targets);
  if (frozen) throw new Refusal('frozen', `Not now: ${frozen}`);
}

/** A form that is sent twice is worked on twice at the same time: neither waits for the other. */
async function mustBeFree(kit: Kit, id: string, targets: readonly string[]): Promise<void> {
  const locks = await kit.deps.store.locks.list();
  const held = locks.find((lock) => lock.operationId !== id && targets.includes(lock.target));
  if (held === undefined) return;
  throw new Refusal('locked', `Not now: "${held.reason}" is running on it (${held.operationId}).`, {
    hint: 'Ask again when that has ended; see /host jobs.',
  });
}

/** Candidates for one argument become whole lines that a button can run. */
export function withSuggestions(refusal: Refusal, wish: Pick<Wish, 'command' | 'raw'>): Refusal {
  const { field } = refusal;
  if (!(refusal instanceof NotOne) || field === undefined) return refusal;
  const suggestions: Suggestion[] = refusal.candidates.map(({ label, values }) => ({
    label,
    command: lineOf(wish.command, { ...wish.raw, [field]: values }),
  }));
  if (wish.command.args[field]?.many && refusal.reason === 'ambiguous' && refusal.candidates.length > 1) {
    const all = refusal.candidates.flatMap((candidate) => candidate.values);
    suggestions.push({
      label: all.length === 2 ? 'both' : 'all of them',
      command: lineOf(wish.command, { ...wish.raw, [field]: all }),
    });
  }
  return new Refusal(refusal.reason, refusal.message, {
    ...(refusal.hint ? { hint: refusal.hint } : {}),
    suggestions,
    field,
  });
}
