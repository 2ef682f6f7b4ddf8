import type { ReadContext } from '../../core/command/command.ts';
import { type Policy, risks, ruleFor, windowNameSchema } from '../../core/policy/policy.ts';
import { windowNamed, windowNames, windowOfRule } from '../../core/policy/windows.ts';
import { list } from '../../core/text/words.ts';
import { writeLike } from '../../core/time/unclear-words.ts';
import { readWindow, sayWindow } from '../../core/time/weekly.ts';
import { badValue, impossible } from '../../core/view/errors.ts';
import { planChange } from './change-access.ts';

/** The maintenance windows of a channel, which rules and requests name. */

const example = 'maintenance sun 02:00-05:00 Europe/Berlin';

/** `typed`: a name with hours, or with `none`, which removes it. `others`: what only a rule for a risk has. */
export async function planWindow(typed: string, others: readonly string[], context: ReadContext) {
  const [other] = others;
  if (other !== undefined)
    throw badValue(`A maintenance window has no \`${other}\`.`, `Leave it out: \`${example}\`.`, other);
  const [, named = '', hours = ''] = /^([^\s:=]+)\s*[:=]?\s*(.*)$/s.exec(typed.trim()) ?? [];
  const name = named.toLowerCase();
  if (!windowNameSchema.safeParse(name).success) {
    const hint = `A name has small letters, digits and hyphens: \`${example}\`.`;
    throw badValue(`\`${name.slice(0, 40)}\` cannot name a maintenance window.`, hint, 'rule');
  }
  if (hours === '') {
    const hint = `Write them like \`${example}\`, or \`${name} none\` to remove it.`;
    throw badValue(`The hours of the maintenance window “${name}” are missing.`, hint, 'rule');
  }
  const policy = await context.bot.policy(context.channel);
  const words = hours.toLowerCase() === 'none' ? undefined : readHours(hours);
  if (words === undefined) mustBeRemovable(name, policy);
  const verb = words === undefined ? 'Remove' : 'Set';
  const plan = await planChange(`${verb} the maintenance window “${name}”`, context, ({ windows, ...rest }) => {
    const kept = Object.entries(windows ?? {}).filter(([other]) => other !== name);
    const next = words === undefined ? kept : [...kept, [name, words] as const];
    return next.length === 0 ? rest : { ...rest, windows: Object.fromEntries(next) };
  });
  return {
    ...plan,
    act: `${verb} maintenance window`,
    effect: 'Changes at once when requests of this channel may begin.',
  };
}

function readHours(typed: string): string {
  const read = readWindow(typed.replace(/^"(.*)"$/, '$1'));
  if (read.ok) return sayWindow(read.window);
  throw badValue(read.why, writeLike(read.instead), 'rule');
}

function mustBeRemovable(name: string, policy: Policy | undefined): void {
  if (windowNamed(policy, name) === undefined) throw unnamed(name, policy, 'rule');
  const requiring = risks.filter((risk) => windowOfRule(policy, ruleFor(policy, risk))?.name === name);
  const [first] = requiring;
  if (first === undefined) return;
  const text = `The maintenance window “${name}” stays: the rule for ${list(requiring)} requires it.`;
  const hint = `Set the rule for ${first} with \`window=none\` first.`;
  throw impossible(text, hint, 'rule');
}

/** The window that a rule shall require; undefined for `none`. */
export function namedWindow(typed: string | undefined, policy: Policy | undefined): string | undefined {
  const name = typed?.trim().toLowerCase();
  if (name === undefined || name === 'none') return undefined;
  if (windowNamed(policy, name) === undefined) throw unnamed(name, policy, 'window');
  return name;
}

function unnamed(name: string, policy: Policy | undefined, field: string) {
  const names = windowNames(policy);
  const hint =
    names.length === 0 ? `Name it first: \`/host access rule hours ${example}\`.` : `It names ${names.join(', ')}.`;
  return badValue(`The policy of this channel names no maintenance window \`${name.slice(0, 40)}\`.`, hint, field);
}
