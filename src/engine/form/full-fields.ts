import { type FormValues, isFull, typedMost } from '../../core/view/form.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { SubmitAnswer } from '../context/ports.ts';
import { longReason } from './reason-field.ts';

/** Refuses text that fills a field completely, since Slack silently cuts pasted text at the limit, and a long reason. */
export function fullFields({ args }: AnyCommand, values: FormValues): SubmitAnswer | undefined {
  const full = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    const isTyped = args[name]?.widget === 'text' || args[name]?.widget === 'multiline';
    if (!isTyped || typeof value !== 'string' || !isFull(value)) return [];
    const other = Object.values(args).some(({ widget }) => widget === 'file') ? ' Give it as a file.' : ' Shorten it.';
    return [
      [
        name,
        `It fills the field, which holds ${typedMost.toLocaleString('en')} characters, so its end may be cut off.${other}`,
      ],
    ];
  });
  const all = { ...Object.fromEntries(full), ...longReason(values) };
  return Object.keys(all).length === 0 ? undefined : { kind: 'errors', errors: all };
}
