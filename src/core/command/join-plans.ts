import { targetKey } from '../account/account.ts';
import type { Plan, PlannedStep } from '../plan/plan.ts';
import { raisedBySize } from '../plan/raised-by-size.ts';
import { type Capability, higherRisk, type Risk } from '../policy/policy.ts';
import { isGuarded } from '../policy/protection.ts';
import type { Json } from '../text/json.ts';
import { count, firstFew, firstLines, sentenceStart } from '../text/words.ts';
import { signs } from '../view/signs.ts';
import { joined, type Text, text } from '../view/view.ts';
import type { LinePart } from './command.ts';
import type { Foreseen } from './foreseen.ts';

/** One plan of the plans of several lines, which run one after another. */

export interface PlannedPart extends Pick<LinePart<never, never>, 'line' | 'targets'> {
  readonly command: { readonly path: string; readonly capability: Capability | 'none'; readonly risk: Risk };
  readonly plan: Plan<Json>;
  /** Of each step. */
  readonly foreseen: readonly (Foreseen | undefined)[];
}

/** `web-1` of “Stop web-1 and web-2” is “Stop web-1” beside other commands. */
function labelOf({ command, plan }: PlannedPart, step: PlannedStep<Json>, foreseen: Foreseen | undefined): string {
  if (foreseen?.kind === 'record') return foreseen.label;
  return plan.steps.length === 1 ? plan.title : `${sentenceStart(command.path)} ${step.label}`;
}

const mostPhrases = 4;
const mostLines = 10;
const longestName = 50;

export function joinPlans(all: readonly PlannedPart[]): Plan<Json> {
  const parts = all.filter(({ plan }) => plan.steps.length > 0 && plan.nothingToDo === undefined);
  const left = all.filter((part) => !parts.includes(part));
  const touched = parts.flatMap((part) => [...part.plan.targets, ...part.targets]);
  const targets = [...new Map(touched.map((target) => [targetKey(target), target])).values()];
  const steps = parts.flatMap((part, at) =>
    part.plan.steps.map((step, n) => ({
      ...step,
      label: labelOf(part, step, part.foreseen[n]),
      command: part.command.path,
      part: at,
    })),
  );
  const leftOut = left.map(({ line, plan }): [string, Text] => [
    `Line ${line}`,
    plan.nothingToDo ?? `${plan.title}: nothing to do.`,
  ]);
  const leftLines = leftOut.map(([line, words]) => text(`${line}: `, words));
  const own = parts.map(({ command, plan }) =>
    plan.raised ? higherRisk(command.risk, plan.raised.risk) : command.risk,
  );
  const risk = own.reduce(higherRisk, 'safe');
  const raised = parts.flatMap(({ plan }) => (plan.raised === undefined ? [] : [plan.raised.why]));
  const warnings = parts.flatMap(({ plan }) => plan.warning?.text ?? []);
  const plan: Plan<Json> = {
    title: `${count(steps.length, 'step')}: ${firstLines(phrasesOf(parts), mostPhrases).join(', ')}`,
    act: `Run ${count(steps.length, 'step')}`,
    subject: parts.filter(isFirstOf).flatMap(({ plan }) => plan.subject),
    targets,
    names: parts.flatMap(({ plan }) => plan.names ?? []),
    effect: `${count(steps.length, 'step')}, one after another, stopping at the first that does not end as done.`,
    glance: joined([...glanceOf(steps), ...leftLines, ...gravestOf(parts, own, risk)], '\n'),
    details: [...parts.flatMap(detailsOf), ...leftOut],
    diff: parts.flatMap(({ plan }) => plan.diff ?? []),
    facts: Object.assign({}, ...all.map(factsOf)),
    steps,
    typedName: typedNameOf(parts),
    ...(warnings.length > 0 && { warning: { text: [...new Set(warnings)].join(' '), isAvoidable: false } }),
    ...(raised.length > 0 && { raised: { risk, why: joined(raised, ' ') } }),
    ...(parts.some(({ plan }) => plan.widens) && { widens: parts.flatMap(({ plan }) => plan.widens ?? []) }),
    ...(parts.every(({ plan }) => plan.isRevocable) && { isRevocable: true as const }),
    ...(parts.some(({ plan }) => plan.file) && { file: parts.map(({ plan }) => plan.file ?? '').join('') }),
    ...(parts.length === 0 && { nothingToDo: leftOut.map(([line, words]) => `${line}: ${words}`).join(' ') }),
  };
  const sized = raisedBySize(plan, risk, 'order');
  const isSized = sized.raised !== plan.raised;
  return {
    ...sized,
    parts: parts.map(({ command, foreseen, targets: named, plan: { steps, targets } }, at) => ({
      command: command.path,
      capability: command.capability,
      risk:
        isSized && sized.raised && targets.some(({ kind }) => kind === 'order')
          ? higherRisk(own[at] ?? risk, sized.raised.risk)
          : (own[at] ?? risk),
      targets: [...named, ...targets],
      labels: foreseen[0]?.kind === 'record' ? [] : steps.map(({ label }) => label),
    })),
  };
}

/** `stop web-1`, `change 2 records`, `start web-2` */
function phrasesOf(parts: readonly PlannedPart[]): readonly string[] {
  const records = parts.flatMap(({ foreseen }) => foreseen).filter((each) => each?.kind === 'record').length;
  const phrases = parts.map(({ plan: { title }, foreseen }) =>
    foreseen[0]?.kind === 'record' && (records > 1 || title.includes(': '))
      ? `change ${count(records, 'record')}`
      : `${title.charAt(0).toLowerCase()}${title.slice(1)}`,
  );
  return [...new Set(phrases)];
}

function glanceOf(steps: readonly { readonly label: string }[]): readonly string[] {
  const lines = steps.slice(0, mostLines).map(({ label }) => `${signs.neutral} ${label}`);
  return steps.length > mostLines ? [...lines, `and ${steps.length - mostLines} more, under Details`] : lines;
}

/** `Dangerous: remove A www.example.com`, where the other steps are less so. */
function gravestOf(parts: readonly PlannedPart[], own: readonly Risk[], risk: Risk): readonly string[] {
  const gravest = parts.filter((_, at) => own[at] === risk);
  if (gravest.length === parts.length || !isGuarded(risk)) return [];
  return [`${sentenceStart(risk)}: ${firstFew(phrasesOf(gravest), 2)}`];
}

function detailsOf({ plan }: PlannedPart, at: number): [string, Text][] {
  const more = plan.details.map(([label, value]) => text(`\n${label}: `, value));
  const message: Text = plan.message === undefined ? '' : `\n${plan.message}`;
  return [[`${at + 1}. ${plan.title}`, text(plan.effect, ...more, message)]];
}

/** With the number of the part, which planning it again gives as well: two parts may have facts of the same name. */
function factsOf({ plan }: PlannedPart, at: number): Readonly<Record<string, Json>> {
  return Object.fromEntries(Object.entries(plan.facts).map(([name, fact]) => [`part ${at + 1}: ${name}`, fact]));
}

/** The names of everything that is destroyed, as many as a field has room for; of all where nothing is. */
function typedNameOf(parts: readonly PlannedPart[]): string {
  const destroying = parts.filter(
    ({ command, plan }) => command.risk === 'destructive' || plan.raised?.risk === 'destructive',
  );
  const named = (destroying.length > 0 ? destroying : parts).flatMap(
    ({ plan }) => plan.typedName ?? plan.targets[0]?.name ?? [],
  );
  const [first = '', ...others] = new Set(named);
  return others.reduce((names, name) => (names.length + name.length < longestName ? `${names} ${name}` : names), first);
}

/** False for a part about targets that earlier parts show already, in the state before them. */
function isFirstOf({ plan }: PlannedPart, at: number, parts: readonly PlannedPart[]): boolean {
  const before = new Set(parts.slice(0, at).flatMap((part) => part.plan.targets.map(targetKey)));
  return !plan.targets.every((target) => before.has(targetKey(target)));
}
