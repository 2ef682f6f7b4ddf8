import { sayFinding } from '../check/check.ts';
import type { CheckContext, CheckResult } from '../check/check-result.ts';
import { checks, resultsOf } from '../check/checks.ts';
import { openScene } from '../open-scene.ts';
import type { SettingsDraft } from './draft.ts';
import type { Resolved, SetupStep } from './setup-steps.ts';
import type { Terminal } from './terminal.ts';

/** Asks for a step's settings and tests them, until no check fails. */
export async function askSettings(step: SetupStep, draft: SettingsDraft, terminal: Terminal): Promise<void> {
  for (const setting of step.asks) await askOne(step, setting, draft, terminal);
  for (;;) {
    const findings = await withScene(draft, (scene) => runChecks(step.checks, scene));
    for (const finding of findings) terminal.say(sayFinding(finding));
    if (findings.every(({ is }) => is !== 'bad')) return;
    terminal.say('Enter keeps what is there, and tests it again.');
    for (const setting of blamed(step, findings)) await askOne(step, setting, draft, terminal);
  }
}

/** The settings that the failed checks name, or all of the step's settings. */
function blamed({ asks }: SetupStep, findings: readonly CheckResult[]): SetupStep['asks'] {
  const words = findings.filter(({ is }) => is === 'bad').map(({ text, remedy = '' }) => `${text} ${remedy}`);
  const named = asks.filter(({ name }) => words.some((each) => each.includes(name)));
  return named.length > 0 ? named : asks;
}

/** Asks for one setting. An empty answer keeps the present value. */
async function askOne(
  step: SetupStep,
  { name, question, isHidden, otherwise, resolve }: SetupStep['asks'][number],
  draft: SettingsDraft,
  terminal: Terminal,
): Promise<void> {
  const fixed = draft.fixedBy(name);
  if (fixed !== undefined) return terminal.say(fixed);
  for (;;) {
    const before = draft.of(name);
    const typed = isHidden
      ? (await terminal.askHidden(before === '' ? question : `${question} [as it is]`)) || before
      : await terminal.prompt(question, before || otherwise);
    const resolved = async ({ slack }: CheckContext): Promise<Resolved> =>
      resolve === undefined || slack instanceof Error ? typed : resolve(typed, slack).catch(() => typed);
    const read = resolve === undefined ? typed : await withScene(draft, resolved);
    const value = typeof read === 'string' ? read : '';
    const problem = draft.problemOf(name, value);
    if (problem === undefined) return value === before ? undefined : draft.save({ [name]: value });
    const text = typeof read === 'string' ? `That is not ${problem}.` : read.problem;
    terminal.say(sayFinding({ is: 'bad', about: step.title, text }));
  }
}

export async function runChecks(names: SetupStep['checks'], scene: CheckContext): Promise<CheckResult[]> {
  return (await Promise.all(names.map((name) => resultsOf(name, checks[name], scene)))).flat();
}

export async function withScene<T>(draft: SettingsDraft, work: (scene: CheckContext) => Promise<T>): Promise<T> {
  await using scene = await openScene(draft.config(), Date.now, () => Promise.reject(new Error('not opened yet')));
  return await work(scene);
}
