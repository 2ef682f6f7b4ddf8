import type { Button, ViewPart } from '../core/view.ts';

/** Runs the line at once. */
export function runButton(label: string, line: string): Button {
  return { label, intent: { do: 'run', line } };
}

/** Opens the form of a command, filled in as far as the line goes. */
export function formButton(label: string, line: string): Button {
  return { label, intent: { do: 'form', line }, opens: true };
}

/** No part at all when there is no button: an empty row of buttons is not a message. */
export function buttonRow(buttons: readonly Button[]): ViewPart[] {
  return buttons.length === 0 ? [] : [{ kind: 'buttons', buttons }];
}
