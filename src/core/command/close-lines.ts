import { isOrderOrDomain, orderTarget, projectTarget, targetKey } from '../account/account.ts';
import type { RawArgs } from '../grammar/command-shape.ts';
import { namesOf } from '../grammar/loosely.ts';
import { lineOf, parse } from '../grammar/parse.ts';
import { placeholdersIn, savedCall } from '../grammar/plan-lines.ts';
import { timingOptions } from '../grammar/timing-keys.ts';
import { shorten } from '../grammar/tokens.ts';
import { areas } from '../policy/areas.ts';
import { NotOne } from '../targets/not-one.ts';
import type { Reading } from '../targets/targets.ts';
import { defined } from '../text/defined.ts';
import type { Json } from '../text/json.ts';
import { count, list, sentenceStart } from '../text/words.ts';
import { Refusal } from '../view/errors.ts';
import { text as said } from '../view/view.ts';
import { type ArgMap, text } from './args.ts';
import type { Action, Command, Common, DoneSteps, LinePart, ReadContext } from './command.ts';
import type { Foreseen } from './foreseen.ts';
import { joinPlans, type PlannedPart } from './join-plans.ts';

/** A plan of several lines as one action: each part is planned, decided and run as its own command says. */

const mostLines = 20;
const mostEnds = 5;
const field = 'lines';

/** The reads of a line, with the state that the lines before it leave. */
export type Foresee<R> = (context: ReadContext<R>, before: readonly Foreseen[]) => ReadContext<R>;

type Preparing<R, P> = LinePart<R, P> & ReturnType<Action<R, P>['prepare']>;

export function closeLines<R, P>(
  shape: Common<ArgMap> & Pick<Action<R, P>, 'risk'>,
  commands: readonly Command<R, P>[],
  foresee: Foresee<R>,
): Action<R, P> {
  const actionAt = (path = '') => {
    const command = commands.find((candidate) => candidate.path === path);
    if (command?.kind !== 'action') throw new Error(`this version has no action ${path}`);
    return command;
  };
  const foreseenBy = (path: string | undefined, data: Json) => actionAt(path).step(data, path).foresee();
  return {
    ...shape,
    kind: 'action',
    pages: [[field]],
    hasPreview: false,
    isOfLines: true,
    isFollowed: true,
    needsAccount: true,
    prepare: (raw, reading) => {
      const notes: string[] = [];
      const lines = linesIn(raw[field] ?? []);
      const each = lines.map((line, at) => {
        const isOnly = lines.length === 1;
        return within(isOnly ? undefined : at + 1, () => {
          const { isTaken, ...part } = readLine(line, at + 1, commands, reading);
          if (isTaken) notes.push(`Took “${shorten(line)}” as \`${part.command.path}\`.`);
          return { ...part, ...prepareAs(part.command, part.raw, reading) };
        });
      });
      const parts = each.reduce<Preparing<R, P>[]>((before, next) => merged(before, next, reading), []);
      return {
        targets: parts.flatMap(({ targets }) => targets),
        canonical: { [field]: parts.map(({ command, canonical }) => lineOf(command, canonical)) },
        notes: [...notes, ...parts.flatMap((part) => part.notes)],
        parts,
        plan: async (context) => {
          const planned: PlannedPart[] = [];
          for (const part of parts) {
            const before = planned.flatMap(({ foreseen }) => foreseen.filter((state) => state !== undefined));
            const plan = await part
              .plan(foresee(context, before))
              .catch((error: unknown) => within(parts.length === 1 ? undefined : part.line, () => raise(error)));
            const foreseen = plan.steps.map(({ data }) => foreseenBy(part.command.path, data));
            const next = { ...part, plan, foreseen };
            mustBeForeseen(next, planned);
            planned.push(next);
          }
          return joinPlans(planned);
        },
      };
    },
    readLine: (line, at, reading, hasPlaceholder) =>
      within(at, () => {
        const part = readLine(line, at, commands, reading);
        return { ...part, targets: hasPlaceholder ? [] : prepareAs(part.command, part.raw, reading).targets };
      }),
    fillIn: async (raw, { bot }) => {
      const { name, values } = savedCall(raw[field]?.length === 1 ? (raw[field][0] ?? '') : '');
      const saved = (await bot.savedPlans()).find((plan) => plan.name === name);
      if (saved === undefined) return raw;
      return { ...raw, [field]: saved.lines, ...Object.fromEntries(values.map(([of, value]) => [of, [value]])) };
    },
    moreArgs: (raw) => {
      const argOf = (name: string) => text({ label: sentenceStart(name), hint: `Stands for {${name}}.` });
      return Object.fromEntries(placeholdersIn(raw[field] ?? []).map((name) => [name, argOf(name)]));
    },
    step: (data, path) => actionAt(path).step(data, path),
    undoes: ({ lines = [] }) =>
      lines.flatMap((line) => {
        const parsed = parse(line, commands);
        const command = parsed.kind === 'command' && parsed.command.kind === 'action' ? parsed.command : undefined;
        return (parsed.kind === 'command' && command?.undoes?.(parsed.raw)) || [];
      })[0],
    done: (steps, operation) => {
      const parts = [...Map.groupBy(steps, ({ part }) => part).values()];
      const endings = parts.map((own) => {
        // A group has at least one step.
        const some = own as unknown as DoneSteps<Json>;
        return { own, ...actionAt(some[0].command).done(some, operation) };
      });
      const [words, more] = [endings.slice(0, mostEnds), endings.length - mostEnds];
      const taken = endings.filter(({ undo }) => undo !== undefined).toReversed();
      const undone = taken.flatMap(({ own }) => own);
      const areRecords = undone.every(({ command, data }) => foreseenBy(command, data)?.kind === 'record');
      const undoLines = [...new Set(taken.flatMap(({ undo = [] }) => undo))];
      const what = areRecords
        ? undone.length === 1
          ? 'the record'
          : `the ${undone.length} records`
        : count(undone.length, 'step');
      return {
        text: [...words.map((ending) => ending.text), ...(more > 0 ? [`and ${more} more`] : [])].join('; '),
        ...(undoLines.length > 0 && {
          undo: undoLines.length === 1 ? (undoLines[0] ?? '') : lineOf(shape, { [field]: undoLines }),
          undoLabel: `Undo ${what}`,
        }),
        leaving: Object.assign({}, ...endings.map(({ leaving }) => leaving)),
        published: endings.flatMap(({ published = [] }) => published),
      };
    },
  };
}

function linesIn(typed: readonly string[]): readonly string[] {
  const lines = typed.map((line) => line.trim()).filter(Boolean);
  if (lines.length === 0) throw no('No line is given.', 'Write one command in each line.');
  if (lines.length <= mostLines) return lines;
  throw no(`That is ${lines.length} lines.`, `At most ${mostLines} fit into one plan: send it in parts.`);
}

function no(words: string, hint: string): Refusal {
  return new Refusal('bad_value', words, { hint, field });
}

const raise = (error: unknown): never => {
  throw error;
};

/** Adds the number of the line to a refusal. */
function within<T>(line: number | undefined, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const candidates = error instanceof NotOne ? error.candidates.map(({ label }) => label) : [];
    const hint = error.hint || (candidates.length === 0 ? undefined : `Did you mean ${list(candidates, 'or')}?`);
    if (line === undefined) throw error;
    throw new Refusal(error.reason, said(`Line ${line}: `, error.text), defined({ hint, field }));
  }
}

/** Commands of these areas change the bot: a plan has none of them. */
const ownAreas: readonly (string | undefined)[] = [areas.bot, areas.alerts, areas.plans];

function readLine<R, P>(line: string, at: number, commands: readonly Command<R, P>[], reading: Reading) {
  const { account, maySee } = reading;
  const names = namesOf(
    account.orders.filter((order) => maySee(orderTarget(order))),
    account.projects.filter((project) => maySee(projectTarget(project))).map(({ name }) => name),
  );
  const domains = account.domains.map(({ name }) => name);
  const parsed = parse(line, commands, domains, names);
  if (parsed.kind === 'problem') throw parsed.refusal;
  if (parsed.kind === 'menu') throw no('It is empty.', 'Write one command in each line.');
  const { command, raw, missing, reason, isTaken } = parsed;
  const quoted = `\`${command.path}\``;
  if (command.kind === 'query')
    throw no(`${quoted} only reads.`, 'A plan has commands that change something: ask for a read by itself.');
  if (ownAreas.includes(command.area))
    throw no(`${quoted} is about the bot itself.`, 'A plan changes the hosting account: ask for this by itself.');
  if (missing.length > 0)
    throw no(`${quoted} also needs ${missing.join('; ')}.`, `\`/host help ${command.path}\` shows how it is written.`);
  if (timingOptions(raw).length > 0) throw no('This line has an hour.', `${isOfPlan('hour')}choose it in the form.`);
  if (reason !== undefined) throw no('This line has a reason.', `${isOfPlan('reason')}in the form.`);
  return { line: at, command, raw, isTaken };
}

const isOfPlan = (what: string) => `A plan has one ${what} for all lines: write it at the end of the plan, or `;

/** With the names that a person may use in this command. */
function prepareAs<R, P>(command: Action<R, P>, raw: RawArgs, reading: Reading) {
  return command.prepare(raw, { ...reading, maySee: reading.maySeeAs?.(command.capability) ?? reading.maySee });
}

/** `restart web-1 then restart web-2` is `restart web-1 web-2`: one part, with the warnings about both. */
function merged<R, P>(before: readonly Preparing<R, P>[], next: Preparing<R, P>, reading: Reading): Preparing<R, P>[] {
  const last = before.at(-1);
  const names = Object.keys(next.raw);
  const [name = ''] = names;
  const arg = next.command.args[name];
  const isAlike = last?.command === next.command && names.length === 1 && Object.keys(last.raw).join() === name;
  const isMany = arg?.many === true && arg.isName === true;
  const keys = new Set(last?.targets.map(targetKey));
  if (last === undefined || !isAlike || !isMany || next.targets.some((target) => keys.has(targetKey(target))))
    return [...before, next];
  const raw = { [name]: [...(last.canonical[name] ?? []), ...(next.canonical[name] ?? [])] };
  const both = prepareAs(next.command, raw, reading);
  return [...before.slice(0, -1), { ...last, ...both, raw, notes: [...last.notes, ...next.notes] }];
}

/** Refuses a line about a target that an earlier line changes in a way that nobody can foresee. */
function mustBeForeseen(next: PlannedPart, before: readonly PlannedPart[]): void {
  const keys = new Set([...next.targets, ...next.plan.targets].filter(isOrderOrDomain).map(targetKey));
  for (const { line, command, plan, foreseen } of before) {
    const step = plan.steps.find(({ target }, at) => foreseen[at] === undefined && keys.has(targetKey(target)));
    if (step === undefined) continue;
    const unforeseen = `what that is after \`${command.path}\` in line ${line} cannot be foreseen.`;
    const words = `Line ${next.line} is about ${step.target.name}, and ${unforeseen}`;
    throw no(words, 'Ask for this line by itself when that has ended.');
  }
}
