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
/** The most calls of a token that wait at once; another is answered at once. */
const mostWaits = 20;

/** PostgreSQL stores no NUL, and UTF-8 has no half of a character. */
const stored = (text: string) => text.isWellFormed() && !text.includes('\0');
const line = z.string().max(mostLine).refine(stored, 'unusable characters');
export const askedSchema = z.strictObject({
  line: z.union([line, z.array(line).min(1).max(100)]),
  /** The same key again is the same request. */
  key: z.string().min(1).max(100).refine(stored, 'unusable characters').optional(),
  dryRun: z.boolean().optional(),
});
export type MachineAsk = z.infer<typeof askedSchema>;

interface Call extends Pick<Request, 'ask'> {
  readonly key: string;
  readonly text: string;
  readonly lets: NonNullable<Request['place']['call']>['lets'];
}

const noSuchRequest = problem('not_found', 'No request of this token has this id.');

export function createDoor(context: EngineContext, accept: Engine['accept'], { hear }: Calls): Door {
  async function call(token: HooksTable, { key, text, lets, ask }: Call): Promise<View | undefined> {
    const { id, name, channel, createdBy: actor } = token;
    const mayWrite = token.mayWrite === 1;
    const own = { id: randomUUID(), token: { id, name, line: hash('sha256', text) }, mayWrite, lets };
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

  /** The waiting calls of each token. */
  const waits = new Map<string, number>();

  async function ownRequest(token: HooksTable, id: string): Promise<Operation | undefined> {
    const operation = await findOperation(context, id);
    return operation?.token?.id === token.id ? operation : undefined;
  }

  async function say(operation: Operation, status = 200): Promise<HookAnswer> {
    const links = await linksToCards(context, [operation.id]);
    return { status, body: await requestData(context, operation, links.get(operation.id)) };
  }

  async function run(token: HooksTable, { line: lines, key, dryRun = false }: MachineAsk): Promise<HookAnswer> {
    const text = [lines].flat().join('\n').trim();
    if (text === '') return problem('bad_value', 'The line is empty.', { hint: 'The line `help` lists the commands.' });
    // A read or a dry run makes no request, so its key is not used.
    const lets = dryRun ? 'show' : key === undefined ? 'read' : 'change';
    const ownKey = (lets === 'change' ? key : undefined) ?? randomUUID();
    const id = operationId(seedOf(token, ownKey));
    const earlier = await findOperation(context, id);
    const asked = { key: ownKey, text, lets, ask: { kind: 'line', line: text } } as const;
    const view = earlier === undefined ? await call(token, asked) : undefined;
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
      const others = waits.get(token.id) ?? 0;
      const until = context.elapsed() + (others < mostWaits ? Math.min(waitS, longestWaitS) * second : 0);
      waits.set(token.id, others + 1);
      try {
        let operation = await ownRequest(token, id);
        const { state } = operation ?? {};
        while (operation !== undefined && operation.state === state && !isEnd(operation.state)) {
          if (context.elapsed() >= until || isGone()) break;
          await pause(followEveryMs);
          operation = await ownRequest(token, id);
        }
        return operation === undefined ? noSuchRequest : await say(operation);
      } finally {
        waits.set(token.id, (waits.get(token.id) ?? 1) - 1);
      }
    },
    withdraw: async (token, id) => {
      if ((await ownRequest(token, id)) === undefined) return noSuchRequest;
      const ask = { kind: 'intent', intent: { do: 'vote', operation: id, vote: 'withdraw' } } as const;
      const view = await call(token, { key: randomUUID(), text: '', lets: 'change', ask });
      if (view?.reason !== undefined) return answerTo(view);
      const operation = await ownRequest(token, id);
      if (operation?.state === 'waiting') return answerTo(undefined);
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
