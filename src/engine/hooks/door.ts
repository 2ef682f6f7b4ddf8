import { hash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { isEnd } from '../../core/plan/operation.ts';
import { second } from '../../core/text/words.ts';
import { asData } from '../../core/view/as-data.ts';
import { isProblemReason, problem } from '../../core/view/problem.ts';
import type { Text, View } from '../../core/view/view.ts';
import type { HooksTable } from '../../store/schema.ts';
import { sayNames } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Engine } from '../context/ports.ts';
import { operationId, type Request } from '../context/request.ts';
import { readLine } from '../context/typed-line.ts';
import { linksToCards, linkToNewCard } from '../operation/card-links.ts';
import { findOperation, type Operation } from '../operation/read-operation.ts';
import type { Calls } from './calls.ts';
import type { HookAnswer } from './http.ts';
import { requestData } from './say-request.ts';

/** The calls of a machine: run a line, follow a request, withdraw it. */
export interface Door {
  readonly run: (token: HooksTable, asked: MachineAsk) => Promise<HookAnswer>;
  readonly follow: (token: HooksTable, id: string, waitS: number, isGone: () => boolean) => Promise<HookAnswer>;
  readonly withdraw: (token: HooksTable, id: string) => Promise<HookAnswer>;
}

const mostLine = 20_000;
/** Clients end a call after a minute. */
export const longestWaitS = 50;
const followEveryMs = 500;

const line = z.string().max(mostLine);
export const askedSchema = z.strictObject({
  line: z.union([line, z.array(line).min(1).max(100)]),
  /** The same key again is the same request. */
  key: z.string().min(1).max(100).optional(),
  dryRun: z.boolean().optional(),
});
export type MachineAsk = z.infer<typeof askedSchema>;

const noSuchRequest = problem('not_found', 'No request of this token has this id.');
const noKey = problem('bad_value', 'A change needs a `key`.', {
  hint: 'Send any text that is new for each change; the same key again is the same request.',
});

export function createDoor(context: EngineContext, accept: Engine['accept'], { hear }: Calls): Door {
  async function call(token: HooksTable, key: string, text: string, ask: Request['ask']): Promise<View | undefined> {
    const { id, name, channel, createdBy: actor, mayWrite } = token;
    const own = { id: randomUUID(), token: { id, name, line: hash('sha256', text) }, mayWrite: mayWrite === 1 };
    const request: Request = {
      id: seedOf(token, key),
      actor,
      place: { channel, kind: 'channel', call: own },
      at: context.now(),
      ask,
    };
    return hear(own.id, async () => {
      const accepted = accept(request);
      // A key that was sent before, without a request: the line is run again, and a request has the same id.
      await accepted.stored;
      await accepted.run();
    });
  }

  async function ownRequest(token: HooksTable, id: string): Promise<Operation | undefined> {
    const operation = await findOperation(context, id);
    return operation?.token?.id === token.id ? operation : undefined;
  }

  async function say(operation: Operation, status = 200): Promise<HookAnswer> {
    const links = await linksToCards(context, [operation.id]);
    return { status, body: await requestData(context, operation, links.get(operation.id)) };
  }

  async function run(token: HooksTable, { line: lines, key, dryRun = false }: MachineAsk): Promise<HookAnswer> {
    const typed = [lines].flat().join('\n').trim();
    if (typed === '')
      return problem('bad_value', 'The line is empty.', { hint: 'The line `help` lists the commands.' });
    const { parsed } = readLine(context, typed);
    const isChange = parsed.kind === 'command' && parsed.command.kind === 'action';
    const text = dryRun && isChange ? `${typed} --dry-run` : typed;
    if (isChange && !dryRun && key === undefined) return noKey;
    const ownKey = key ?? randomUUID();
    const id = operationId(seedOf(token, ownKey));
    const earlier = await findOperation(context, id);
    const view = earlier === undefined ? await call(token, ownKey, text, { kind: 'line', line: text }) : undefined;
    const made = earlier ?? (await findOperation(context, id));
    if (made?.token?.line === hash('sha256', text)) {
      await linkToNewCard(context, id);
      return say(made, 202);
    }
    if (made !== undefined)
      return problem('key_used', 'This key belongs to another line.', { hint: 'Send a new key.' });
    return answerTo(view);
  }

  async function answerTo(view: View | undefined): Promise<HookAnswer> {
    if (view === undefined)
      return problem('rate_limited', 'That is more than the requests of a minute. Nothing was started.');
    const sayText = (words: Text) => sayNames(context.directory, words);
    if (view.reason === undefined) return { status: 200, body: await asData(view, sayText) };
    const lines = view.parts.flatMap((part) => (part.kind === 'text' || part.kind === 'notice' ? [part.text] : []));
    const detail = (await Promise.all(lines.map(sayText))).join(' ');
    const instead = linesOf(view);
    const more = instead.length === 0 ? {} : { instead };
    return problem(isProblemReason(view.reason) ? view.reason : 'bug', detail, more);
  }

  return {
    run,
    follow: async (token, id, waitS, isGone) => {
      const until = context.elapsed() + Math.min(waitS, longestWaitS) * second;
      let operation = await ownRequest(token, id);
      const before = operation?.state;
      while (operation !== undefined && operation.state === before && !isEnd(operation.state)) {
        if (context.elapsed() >= until || isGone()) break;
        await pause(followEveryMs);
        operation = await ownRequest(token, id);
      }
      return operation === undefined ? noSuchRequest : say(operation);
    },
    withdraw: async (token, id) => {
      if ((await ownRequest(token, id)) === undefined) return noSuchRequest;
      const ask = { kind: 'intent', intent: { do: 'vote', operation: id, vote: 'withdraw' } } as const;
      const view = await call(token, randomUUID(), '', ask);
      if (view?.reason !== undefined) return answerTo(view);
      const operation = await ownRequest(token, id);
      return operation === undefined ? noSuchRequest : say(operation);
    },
  };
}

/** The lines that the buttons of a view run. */
function linesOf({ parts }: View): string[] {
  const buttons = parts.flatMap((part) => (part.kind === 'buttons' ? part.buttons : []));
  return buttons.flatMap(({ intent }) => (intent.do === 'run' && intent.anyway !== true ? [intent.line] : []));
}

const seedOf = ({ id }: HooksTable, key: string): string => `token:${id}:${key}`;
