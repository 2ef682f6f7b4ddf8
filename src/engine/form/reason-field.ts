import { tooLongReason } from '../../core/grammar/cut-reason.ts';
import { strikeSecrets } from '../../core/text/strike-secrets.ts';
import { type Field, type FormValues, reasonName } from '../../core/view/form.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** The reason in the form of an action; same as `because …` in a typed line. */

/** False for commands with their own `reason` argument, such as a freeze. */
export function takesReason({ kind, risk, args }: AnyCommand): boolean {
  return kind === 'action' && args.reason === undefined && risk !== 'safe';
}

export function reasonField(reason: string | undefined): Field {
  return {
    name: reasonName,
    label: 'Reason',
    hint: 'The people who approve read it.',
    widget: 'text',
    optional: true,
    example: 'no ping since 4:20',
    ...(reason === undefined ? {} : { initial: reason }),
  };
}

export function reasonIn({ settings }: Pick<EngineContext, 'settings'>, values: FormValues): string | undefined {
  const words = strikeSecrets(typedIn(values), settings.knownSecrets);
  return words === '' ? undefined : words;
}

function typedIn(values: FormValues): string {
  return [values[reasonName] ?? ''].flat().join(' ').trim();
}

/** The error of a reason that the card could not show whole. */
export function longReason(values: FormValues): Readonly<Record<string, string>> {
  const refusal = tooLongReason(typedIn(values));
  return refusal === undefined ? {} : { [reasonName]: `${refusal.message} ${refusal.hint}` };
}

export { reasonName };
