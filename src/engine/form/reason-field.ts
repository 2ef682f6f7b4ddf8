import { risks } from '../../core/policy/policy.ts';
import type { Field, FormValues } from '../../core/view/form.ts';
import type { AnyCommand } from '../context/dependencies.ts';

/** The reason in the form of a command that may need approval; same as `because …` in a typed line. */

/** The name differs from all argument names. */
const name = '@reason';
const longest = 200;

/** False for commands with their own `reason` argument, such as a freeze. */
export function takesReason({ kind, risk, args }: AnyCommand): boolean {
  return kind === 'action' && args.reason === undefined && risks.indexOf(risk) >= risks.indexOf('disruptive');
}

export function reasonField(given: string | undefined): Field {
  return {
    name,
    label: 'Reason',
    hint: 'The people who approve read it.',
    widget: 'text',
    optional: true,
    example: 'no ping since 4:20',
    ...(given === undefined ? {} : { initial: given }),
  };
}

export function reasonIn(values: FormValues): string | undefined {
  const words = [values[name] ?? ''].flat().join(' ').trim();
  return words === '' ? undefined : words.slice(0, longest);
}
