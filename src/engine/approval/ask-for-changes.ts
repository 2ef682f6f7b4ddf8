import { lineOf } from '../../core/grammar/parse.ts';
import { toJson } from '../../core/text/json.ts';
import { Refusal } from '../../core/view/errors.ts';
import { type Button, says, text } from '../../core/view/view.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { redraw } from '../operation/create.ts';
import { entryOf } from '../operation/entry-of.ts';
import { longestLine, timingArgs } from '../operation/next-buttons.ts';
import type { Operation } from '../operation/record.ts';
import { notifyThread } from '../operation/thread.ts';

interface Asked {
  readonly user: string;
  readonly at: number;
  readonly words?: string;
}

const longestWords = 500;

/**
 * Sends a request back to its requester with one line. It keeps waiting until the requester sends it again with
 * changes, which replaces it, or until somebody decides on it.
 */
export async function askForChanges(context: EngineContext, operation: Operation, asked: Asked): Promise<void> {
  const words = (asked.words ?? '').trim().slice(0, longestWords);
  if (words === '') throw new Refusal('bad_value', 'Write what should be different.', { field: 'words' });
  const { id, plan, requester } = operation;
  const { user, at } = asked;
  // The audit comes first: after a crash between the two, the click is handled, and recorded, again.
  await context.audit({
    ...entryOf(operation),
    kind: 'changes_asked',
    actor: user,
    text: `asked for changes: ${plan.title}: ${words}`,
    data: { at },
    unlessThere: 'same',
  });
  const isWaiting = await context.store.operations.changeWaiting(id, {
    outcome: toJson({ by: null, changes: { by: user, words } }),
  });
  if (!isWaiting) throw new Refusal('closed', `${plan.title} was decided meanwhile.`);
  const view = says(
    text({ user: requester }, ' ', { user }, ' asks for changes to ', { bold: plan.title }, `: “${words}”`),
    changeButton(context, operation),
  );
  await notifyThread(context, operation, `change:${id}:${user}:${at}`, view);
  await redraw(context, id);
}

/** The button opens the form of the request, filled in. A cut line would be a different request. */
function changeButton(context: EngineContext, operation: Operation): Button[] {
  const { id, command: path, args, plan, channel } = operation;
  const command = commandAt(context, path);
  const line = command === undefined ? undefined : lineOf(command, { ...args, ...timingArgs(operation) }, plan.reason);
  if (line === undefined || line.length > longestLine) return [];
  const intent = { do: 'form', line, in: channel, replaces: id } as const;
  return [{ label: 'Change it…', intent, style: 'primary', opens: true }];
}
