import type { Button, ViewPart } from '../core/view/view.ts';

/** Runs the line at once. */
export function runButton(label: string, line: string): Button {
  return { label, intent: { do: 'run', line } };
}

/** Opens the form of a command, filled in as far as the line goes. */
export function formButton(label: string, line: string): Button {
  return { label, intent: { do: 'form', line }, opens: true };
}

/** Slack's menus hold so many options. */
const mostOptions = 100;

/** One of several things, chosen by its name: nobody has to copy an id. No part at all when there is nothing. */
export function menuPart(label: string, options: readonly Button[]): ViewPart[] {
  return options.length === 0 ? [] : [{ kind: 'menu', label, options: options.slice(0, mostOptions) }];
}

/** No part at all when there is no button: an empty row of buttons is not a message. */
export function buttonRow(buttons: readonly Button[]): ViewPart[] {
  return buttons.length === 0 ? [] : [{ kind: 'buttons', buttons }];
}
