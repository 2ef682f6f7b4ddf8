import { targetKey } from '../../core/account/account.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import { ProviderError, Refusal } from '../../core/view/errors.ts';
import { buttonRow, notice, textPart, type View, type ViewPart } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { AnyQuery } from '../context/dependencies.ts';
import type { EngineContext, PowerRead } from '../context/engine-context.ts';
import { remedyForError } from '../context/error-view.ts';
import { lastPowers } from '../operation/last-powers.ts';
import { readNow } from './answer.ts';
import type { CommandRequest } from './command-request.ts';
import { commandScopeOf, resolveChannel } from './command-scope.ts';

type ReadRequest = CommandRequest & { readonly command: AnyQuery };

/** True if the provider was unavailable for a read. */
export function wasUnavailable(error: unknown, request: CommandRequest): request is ReadRequest {
  return error instanceof ProviderError && error.kind === 'unavailable' && request.command.kind === 'query';
}

/**
 * Answers a read while the provider is unavailable: checks and draws the same response from data in memory and in the
 * database, as of its age. A change is never planned from this data.
 */
export async function lastKnown(context: EngineContext, request: ReadRequest, error: unknown): Promise<View> {
  const again = remedyForError('unavailable', { line: lineOf(request.command, request.raw) });
  const recalledContext = unavailableText(error);
  // The first run finds the age of the data it uses; the second draws the response as of that time.
  const first = await recall(context, request, error, context.now());
  const recalled = first && (await recall(context, request, error, first.at));
  if (recalled === undefined) return notice('error', recalledContext, [again]);
  const { view, at, targets } = recalled;
  const touched = await context.store.steps.touchedSince(at);
  const changed = touched.some(({ target }) => targets.length === 0 || targets.includes(target));
  const words = [`${recalledContext} This is what the bot knew at `, { date: at, style: 'full' }, ':'] as const;
  return {
    summary: words,
    parts: [
      { kind: 'notice', tone: 'warning', text: words },
      ...view.parts.flatMap((part) => withoutActs(part, request.command.path)),
      ...textPart('context', changed ? 'Changes that were made through the bot since then are not in it.' : ''),
      { kind: 'buttons', buttons: [again] },
    ],
  };
}

/** `The provider is not answering (503 Service Unavailable).` */
function unavailableText(error: unknown): string {
  const { status, words } = error instanceof ProviderError ? error : { status: undefined, words: '' };
  const sentence = words.replace(/[.!]$/, '');
  const why = status === undefined || sentence.startsWith(String(status)) ? sentence : `${status} ${sentence}`.trim();
  return `The provider is not answering${why === '' ? '' : ` (${why})`}.`;
}

/** Keeps the buttons that turn the pages of the same response; the others would act on old data. */
function withoutActs(part: ViewPart, path: string): ViewPart[] {
  if (part.kind === 'menu' || part.kind === 'find') return [];
  if (part.kind !== 'buttons') return [part];
  const turning = part.buttons.filter(({ intent }) => intent.do === 'run' && `${intent.line} `.startsWith(`${path} `));
  return buttonRow(turning);
}

/**
 * Undefined if the bot lacks data for this response. `at`: the age of the oldest data in the view; `targets`: their keys,
 * none for a response about everything that the person may read.
 */
async function recall(context: EngineContext, request: ReadRequest, error: unknown, now: number) {
  let at = now;
  const used = (readAt: number) => {
    at = Math.min(at, readAt);
  };
  const recalled = context.accountReader.recall(error, used);
  if (recalled === undefined) return undefined;
  const { account } = recalled;
  const reader = withLastReads(context, { ...recalled, error, used });
  const recalledContext: EngineContext = {
    ...context,
    reader,
    accountReader: { ...context.accountReader, read: account },
    readContext: async (asking, access) => ({ ...(await context.readContext(asking, access)), reader, account, now }),
  };
  try {
    const resolved = await resolveChannel(recalledContext, request);
    if ('channels' in resolved) return undefined;
    const scope = await commandScopeOf(recalledContext, request, resolved);
    const { view } = await readNow(recalledContext, scope, request.command);
    const { targets } = request.command.prepare(request.raw, scope.reading);
    return { view, at, targets: targets.map(targetKey) };
  } catch (failed) {
    // A name that is not in memory may exist at the provider.
    if (failed instanceof ProviderError || (failed instanceof Refusal && failed.reason === 'not_found'))
      return undefined;
    throw failed;
  }
}

/** Adds the last reads of Home and of the alert rules to the lists in memory. */
function withLastReads(
  context: EngineContext,
  {
    account,
    reader,
    error,
    used,
  }: NonNullable<ReturnType<EngineContext['accountReader']['recall']>> & {
    readonly error: unknown;
    readonly used: (readAt: number) => void;
  },
): Reader {
  let powers: Promise<ReadonlyMap<string, PowerRead>> | undefined;
  const readBalance = () => {
    const read = context.lastRead.balance();
    if (read === undefined) throw error;
    used(read.readAt);
    return read;
  };
  return {
    ...reader,
    vps: {
      ...reader.vps,
      status: async ({ order_id }) => {
        powers ??= account().then(({ orders, readAt }) => lastPowers(context, orders, readAt));
        const read = (await powers).get(order_id);
        if (read === undefined) return { status: 'unknown' };
        used(read.readAt);
        return { status: read.power };
      },
    },
    account: { ...reader.account, balance: async () => readBalance().balance },
    orders: {
      ...reader.orders,
      list: async (input = {}) => (input.cancel_mark === true ? readBalance().marked : reader.orders.list(input)),
    },
  };
}
