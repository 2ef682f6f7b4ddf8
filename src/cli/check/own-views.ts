import { z } from 'zod';
import { fieldsOf } from '../../core/command/command-form.ts';
import { parse } from '../../core/grammar/parse.ts';
import { Refusal } from '../../core/view/errors.ts';
import { notice, type View } from '../../core/view/view.ts';
import type { AnyCommand } from '../../engine/context/dependencies.ts';
import { refusalView } from '../../engine/context/error-view.ts';
import { drawMessage } from '../../slack/outbound/draw.ts';
import { drawForm, drawHome, drawLoading, drawNotice } from '../../slack/outbound/modals.ts';
import { firstMessage } from '../setup/first-message.ts';

/** A message or view, with the request that draws it. */
export const namedView = z.object({
  surface: z.enum(['message', 'modal', 'home']),
  command: z.string(),
  payload: z.unknown(),
});
export type NamedView = z.infer<typeof namedView>;

/** All views that need no account: each command's form and refusals, on every surface. */
export function ownViews(commands: readonly AnyCommand[]): NamedView[] {
  const everywhere = (command: string, view: View): NamedView[] => [
    { surface: 'message', command, payload: { blocks: drawMessage(view).blocks } },
    { surface: 'modal', command, payload: drawNotice('Hostler', view) },
    { surface: 'home', command, payload: drawHome(view) },
  ];
  return [
    { surface: 'modal', command: 'any form', payload: drawLoading() },
    ...(['info', 'success', 'warning', 'error'] as const).flatMap((tone) =>
      everywhere(`a notice: ${tone}`, notice(tone, 'web-1 is off. It was stopped by @lead.')),
    ),
    ...everywhere('hostler setup', firstMessage({ account: 'this account', means: 'Everybody here may look.' })),
    ...commands.flatMap((command) => formsOf(command)),
    ...commands.flatMap(({ path, summary }) => {
      const line = `${path} --no-such-option`;
      const parsed = parse(line, commands);
      const refusal = parsed.kind === 'problem' ? parsed.refusal : new Refusal('bad_value', summary);
      return everywhere(`/host ${line}`, refusalView(refusal));
    }),
  ];
}

function formsOf(command: AnyCommand): NamedView[] {
  return command.pages.map((names) => {
    const shown = Object.fromEntries(Object.entries(command.args).filter(([name]) => names.includes(name)));
    const fields = fieldsOf(shown, {}, (_name, value) => value);
    const form = { id: 'check', title: command.path, submit: 'Continue', notes: [command.summary], fields };
    return { surface: 'modal', command: `/host ${command.path}`, payload: drawForm(form) };
  });
}
