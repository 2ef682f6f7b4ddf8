import { type FormValues, isFull, typedMost } from '../../core/view/form.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { SubmitAnswer } from '../context/ports.ts';

/** Refuses text that fills a field completely, since Slack silently cuts pasted text at the limit. */
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
  return full.length === 0 ? undefined : { kind: 'errors', errors: Object.fromEntries(full) };
}
