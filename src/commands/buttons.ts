import type { Button, ViewPart } from '../core/view/view.ts';

/** Runs the line at once. */
export function runButton(label: string, line: string): Button {
  return { label, intent: { do: 'run', line } };
}

/** Opens the form of a command, filled in as far as the line goes. */
export function formButton(label: string, line: string): Button {
  return { label, intent: { do: 'form', line }, opens: true };
}

/** Slack's limit of options in a menu. */
const mostOptions = 100;

/** A menu of things by name, so that no one has to copy an id. Empty without options. */
export function menuPart(label: string, options: readonly Button[]): ViewPart[] {
  return options.length === 0 ? [] : [{ kind: 'menu', label, options: options.slice(0, mostOptions) }];
}

/** A row of buttons. Empty without buttons: Slack rejects an empty row. */
export function buttonRow(buttons: readonly Button[]): ViewPart[] {
  return buttons.length === 0 ? [] : [{ kind: 'buttons', buttons }];
}

/** The buttons that are offered to this person here. */
export function offered(buttons: readonly (readonly [isOffered: boolean, button: Button])[]): Button[] {
  return buttons.filter(([isOffered]) => isOffered).map(([, button]) => button);
}
