import { asText, type Dict, isDict } from './dict.ts';
import { imageLookup } from './files.ts';
import { type BlocksError, checkMessageBlocks } from './validate/message.ts';
import type { BlockWay } from './validate/rule.ts';
import { checkView, type ViewError } from './validate/view.ts';
import type { Workspace } from './workspace.ts';

/** Slack's refusal of these blocks in a message; undefined if it accepts them. */
export function refuseBlocks(
  workspace: Workspace,
  blocks: unknown,
  way: BlockWay = 'message',
): BlocksError | undefined {
  const wrong = checkMessageBlocks(blocks, imageLookup(workspace), workspace, way);
  if (wrong === undefined) workspace.record?.({ surface: 'message', command: workspace.lastAct, payload: { blocks } });
  return wrong;
}

/** Slack's refusal of this view; undefined if it accepts the view. */
export function refuseView(workspace: Workspace, view: unknown, surface: 'modal' | 'home'): ViewError | undefined {
  const wrong = checkView(view, surface, imageLookup(workspace), workspace);
  if (wrong === undefined) workspace.record?.({ surface, command: workspace.lastAct, payload: view });
  return wrong;
}

/** A person's act as text, for the views that answer it. */
export function actOf(name: string, body: Dict, before: string): string {
  if (typeof body.command === 'string') return `${body.command} ${asText(body.text)}`.trim();
  if (isDict(body.event)) return `${name} ${asText(body.event.text)}`.trim();
  const [command = ''] = before.split(' › ');
  return command === '' ? name : `${command} › ${name}`;
}
