import { z } from 'zod';
import { isDict } from '../dict.ts';
import { imageLookup } from '../files.ts';
import { checkMessageBlocks } from '../validate/message.ts';
import type { BlockProblem } from '../validate/rule.ts';
import { checkView } from '../validate/view.ts';
import type { Workspace } from '../workspace.ts';
import { defineMethod, json, rates, SlackApiError } from './method.ts';

/** Throws Slack's refusal. Pointers begin at the sent payload, without the surface. */
function refuse(error: string, blockProblems: readonly BlockProblem[], prefix: string): never {
  const errors = blockProblems.map(({ at, what, constraint }) => ({
    pointer: at.startsWith(prefix) ? at.slice(prefix.length) : at,
    code: 'failed_constraint',
    message: what,
    ...(constraint === undefined ? {} : { constraint }),
  }));
  throw new SlackApiError(error, { errors });
}

function validateBlocks(workspace: Workspace, blocks: unknown, error: string, prefix: string): void {
  const wrong = checkMessageBlocks(blocks, imageLookup(workspace), workspace);
  // blocks.validate does not check the size of messages.
  if (wrong !== undefined && wrong.error !== 'msg_blocks_too_long') refuse(error, wrong.blockProblems, prefix);
}

export const blockMethods = [
  defineMethod({
    name: 'blocks.validate',
    token: 'none',
    scopes: [],
    rate: rates.special,
    args: z.object({ blocks: json.optional(), message: json.optional(), view: json.optional() }),
    run(args, workspace) {
      const values = Object.values(args).filter((value) => value !== undefined);
      if (values.length !== 1) throw new SlackApiError('invalid_arguments');
      const { blocks, message, view } = args;
      if (blocks !== undefined) validateBlocks(workspace, blocks, 'invalid_blocks', '/blocks');
      if (message !== undefined) {
        validateBlocks(workspace, isDict(message) ? (message.blocks ?? []) : undefined, 'invalid_message', '');
      }
      if (view !== undefined) {
        const surface = isDict(view) && view.type === 'home' ? 'home' : 'modal';
        const wrong = checkView(view, surface, imageLookup(workspace), workspace);
        if (wrong !== undefined) refuse('invalid_view', wrong.blockProblems, '/view');
      }
      return {};
    },
  }),
];
