import type { SavedPlan } from '../../core/command/bot-port.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { filledIn, placeholdersIn, savedCall } from '../../core/grammar/plan-lines.ts';
import { timingOf, withoutTiming } from '../../core/grammar/timing-keys.ts';
import { list } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { text } from '../../core/view/view.ts';
import { openKeyv } from '../../store/keyv.ts';
import { seeingFor } from '../access/allowed-names.ts';
import { sayNames } from '../access/say-names.ts';
import type { Access } from '../context/access-port.ts';
import { isPlan } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { CommandRequest } from './command-request.ts';

/** The saved plans of each channel, in Keyv. */

export async function savedPlansIn({ store }: Pick<EngineContext, 'store'>, channel: string) {
  return (await openKeyv(store, 'plans').get(channel)) ?? [];
}

/** Saves or deletes a plan if its lines are still `before`. */
export async function savePlan(
  { store }: Pick<EngineContext, 'store'>,
  channel: string,
  {
    name,
    before,
    plan,
  }: { readonly name: string; readonly before: readonly string[] | null; readonly plan: SavedPlan | null },
): Promise<void> {
  // Refuses to overwrite a value that somebody changed since this read.
  const compared = openKeyv(store, 'plans', { isCompared: true });
  const all = (await compared.get(channel)) ?? [];
  const now = all.find((each) => each.name === name)?.lines ?? null;
  const others = all.filter((each) => each.name !== name);
  const next = [...others, ...(plan === null ? [] : [plan])].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (JSON.stringify(now) === JSON.stringify(before) && (await compared.set(channel, next))) return;
  throw new Refusal('changed', `The saved plans of this channel were changed meanwhile.`, { hint: 'Ask again.' });
}

/** Refuses a person who may not ask for one of these lines: a placeholder may become anything that they may use. */
export async function mayEditPlan(
  { accountReader, commands, directory }: EngineContext,
  lines: readonly string[],
  access: Access,
) {
  const plan = commands.find(isPlan);
  if (plan?.kind !== 'action') return;
  const account = await accountReader.read({ staleOk: true });
  for (const [at, line] of lines.entries()) {
    const reading = { account, ...seeingFor(plan, access) };
    const part = plan.readLine?.(line, at + 1, reading, placeholdersIn([line]).length > 0);
    if (part === undefined) continue;
    const decision = access.decide(part.command.capability, part.command.risk, part.targets);
    if (decision.allowed) continue;
    const words = text(`Line ${at + 1}: you may not use \`/host ${part.command.path}\` here: `, decision.because, '.');
    throw new Refusal(decision.reason, await sayNames(directory, words), { field: 'lines' });
  }
}

/** `plan failover server=web-1` with the lines of the saved plan. */
export async function withSavedPlan(context: EngineContext, request: CommandRequest): Promise<CommandRequest> {
  const { command, raw, place, under, reason } = request;
  const { lines = [], ...others } = raw;
  if (!isPlan(command)) return request;
  const { name: first, values: typed } = savedCall(lines.length === 1 ? (lines[0] ?? '') : '');
  const saved = (await savedPlansIn(context, under ?? place.channel)).find(({ name }) => name === first);
  const fields = Object.entries(withoutTiming(others)).map(([name, words]) => [name, words.join(' ')] as const);
  const filled = filledIn(saved?.lines ?? lines, Object.fromEntries([...typed, ...fields]));
  const timing = timingOf(others);
  if (saved === undefined && first !== '' && typed.length === 0)
    throw new Refusal('not_found', `This channel has no saved plan ${first}.`, {
      hint: '`/host plan list` shows them.',
    });
  if (saved === undefined) return fields.length === 0 ? request : { ...request, raw: { ...timing, lines: filled } };
  const open = placeholdersIn(filled);
  if (open.length > 0)
    throw new Refusal('bad_value', `The plan ${saved.name} needs ${list(open)}.`, {
      hint: `Fill it in, or type \`/host plan ${saved.name} ${open.map((name) => `${name}=…`).join(' ')}\`.`,
      suggestions: [{ label: 'Fill in…', command: lineOf(command, raw, reason), isForm: true }],
    });
  const unused = typed.filter(([name]) => !placeholdersIn(saved.lines).includes(name));
  if (unused.length > 0)
    throw new Refusal('bad_value', `The plan ${saved.name} has no placeholder ${list(unused.map(([name]) => name))}.`, {
      hint: 'The reason goes after `because`, and the hour after `at`.',
    });
  return { ...request, raw: { ...timing, lines: filled }, note: `Saved plan “${saved.name}”.` };
}
