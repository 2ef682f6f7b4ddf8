import { mayReadRequest, type Target, targetKey } from '../../core/account/account.ts';
import type { Alert, Finding, Offer } from '../../core/alert/alert.ts';
import { isEnd, isTrouble } from '../../core/plan/operation.ts';
import { stateWords } from '../../core/plan/say-state.ts';
import { text } from '../../core/view/view.ts';
import { readerOf } from '../access/allowed-names.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { nothingDone, providerSays } from '../operation/ends.ts';
import { findOperation, type Operation } from '../operation/read-operation.ts';
import { changeNow } from './lifecycle.ts';

/** More alerts than this are a flood, whose messages show no attempts. */
const mostOpen = 500;
const mostShown = 3;

type Attempt = Parameters<EngineContext['alerts']['attempted']>[0];

/**
 * Shows a request on the alerts that offer it for one of its targets, at its start and at its end. Drawing the message
 * reads the request, so a repetition changes nothing.
 */
export async function noteAttempt(context: EngineContext, operation: Attempt): Promise<void> {
  // A standing approval tries nothing itself.
  if (operation.when.kind === 'weekly') return;
  const { store } = context;
  const targets = new Set(operation.plan.targets.map(targetKey));
  const about = (await store.alerts.openSince(operation.createdAt, mostOpen)).filter(
    (row) =>
      targets.has(targetKey(row.finding.target)) &&
      offerOf(row.finding, operation) !== undefined &&
      // The server may have gone off in the middle of a restart, which is then no attempt to start it.
      (operation.startedAt ?? operation.createdAt) >= row.openedAt &&
      operation.createdAt <= (row.resolvedAt ?? Number.POSITIVE_INFINITY),
  );
  if (about.length === 0) return;
  const keys = about.map(({ id }) => `${id}:${operation.id}`);
  const noted = await store.values.find('attempt', keys);
  const note = { operation: operation.id, isPosted: false };
  const missing = keys.filter((key) => !noted.has(key)).map((key) => [key, note] as const);
  await store.values.write('attempt', Object.fromEntries(missing), operation.createdAt);
  // After the note: a process that wrote the row in between may have drawn it without the note.
  for (const alert of about) await changeNow(context, alert, () => ({ seenAt: context.now() }));
  for (const channel of new Set(about.map((row) => row.channel))) context.alerts.publishSoon(channel);
}

/** The offer of the alert's rule that requests this command; it names the request in a line under the alert. */
function offerOf({ offers, afterFailed, target }: Finding, { command, plan }: Attempt) {
  const isAbout = ({ targets }: { readonly targets: readonly Target[] }) =>
    targets.some((each) => targetKey(each) === targetKey(target));
  const commands = plan.parts?.filter(isAbout).map((part) => part.command) ?? [command];
  const all: readonly Offer[] = [...offers, ...(afterFailed === undefined ? [] : [afterFailed])];
  return all.find(({ line }) => commands.some((path) => `${line} `.startsWith(`${path} `)));
}

export type Attempts = Readonly<Awaited<ReturnType<typeof attemptsOn>>>;

/** For each alert, the attempts to end its cause. */
export type AttemptsOf = ReadonlyMap<string, Attempts>;

export async function attemptsOf(context: EngineContext, alerts: readonly Alert[]): Promise<AttemptsOf> {
  const attempts = new Map<string, Attempts>();
  for (const alert of alerts) {
    const noted = [...(await context.store.values.list('attempt', `${alert.id}:`)).values()];
    if (noted.length > 0) attempts.set(alert.id, await attemptsOn(context, alert, noted));
  }
  return attempts;
}

async function attemptsOn(
  context: EngineContext,
  { finding, channel }: Alert,
  noted: readonly { readonly value: { readonly operation: string; readonly isPosted: boolean } }[],
) {
  const needed = noted.filter(({ value }, at) => !value.isPosted || at >= noted.length - mostShown);
  const attempts = await Promise.all(
    needed.map(async ({ value: { operation: id, isPosted } }) => {
      const operation = await findOperation(context, id);
      if (operation === undefined) return [];
      const isNamed = await mayBeNamed(context, channel, operation);
      const words = isNamed ? await sayIt(context, operation, finding) : sayNameless(operation);
      return [{ operation, isPosted, isNamed, words }];
    }),
  );
  const own = attempts.flat();
  const shown = own.slice(-mostShown);
  // A request that was withdrawn, declined or left has tried nothing.
  const last = own.findLast(({ operation }) => operation.startedAt !== null);
  const failed = last?.isNamed && isTrouble(last.operation.state) ? last.operation.command : undefined;
  const { afterFailed, target } = finding;
  const isNext = afterFailed !== undefined && failed === afterFailed.command;
  const mayAsk = isNext && (await readerOf(context, channel)).may(afterFailed.capability, target);
  return {
    /** `10:24 Start failed: the hypervisor did not answer`, the last three. */
    lines: shown.map(({ words }) => words.line),
    /** How many came before them. */
    earlier: noted.length - needed.length + own.length - shown.length,
    /** The command of the last attempt, where it did not help. */
    failed,
    /** The next step, after the last attempt. */
    offers: mayAsk ? [afterFailed] : [],
    /** Requests that have ended and of which the thread does not say so yet. */
    unposted: own
      .filter(({ isPosted, operation }) => !isPosted && isEnd(operation.state))
      .map(({ operation, words }) => ({ operation: operation.id, words: words.reply })),
  };
}

/**
 * A request is named where its card stands. Elsewhere it is named only if everybody in the workspace can read its card,
 * nobody else reads along here, and the grants here let somebody read all that it names. A failed lookup is a no.
 */
async function mayBeNamed({ directory, policies }: EngineContext, channel: string, { channel: from, plan }: Operation) {
  if (from === channel) return true;
  try {
    const [card, here] = await Promise.all([directory.channel(from), directory.channel(channel)]);
    // The card of a channel that was shared or made public since says itself no more than that it ended.
    if (card.isPrivate || here.isShared || (await policies.standing(from)) !== 'ok') return false;
  } catch {
    return false;
  }
  return mayReadRequest(plan, await readerOf({ policies }, channel));
}

/**
 * `Start failed: the hypervisor did not answer`, `Put back: done, by @operator`. The alert above it names the target; the
 * thread has the whole title, in the reply.
 */
async function sayIt(context: EngineContext, operation: Operation, finding: Finding) {
  const { state, plan, requester, endText } = operation;
  const step = (await context.store.steps.list(operation.id)).find(
    (candidate) => candidate.target === targetKey(finding.target),
  );
  const note = step?.note ?? endText ?? '';
  const end =
    state === 'done' ? stateWords.done : sayEnd(stateWords[state], note, [plan.title, step?.label ?? plan.title]);
  const what = offerOf(finding, operation)?.label.replace('…', '') ?? plan.title;
  const line =
    isEnd(state) && state !== 'done'
      ? text(timeOf(operation), ` ${what} ${end}`)
      : text(timeOf(operation), ` ${what}: ${stateWords[state]}, ${isEnd(state) ? 'by' : 'asked by'} `, {
          user: requester,
        });
  return { line, reply: `${plan.title} ${end} · asked by ${await personName(context, requester)}` };
}

/**
 * `failed: the hypervisor did not answer`, `declined by @lead: not today`. Without the title, which stands before it; of an
 * error that the provider explained the explanation alone.
 */
function sayEnd(word: string, note: string, titles: readonly string[]): string {
  const title = titles.map((each) => `${each}: `).find((each) => note.startsWith(each)) ?? '';
  const cause = note.slice(title.length).split(providerSays).at(-1) ?? '';
  const suffix = ` ${nothingDone}`;
  const why = (cause.endsWith(suffix) ? cause.slice(0, -suffix.length) : cause).replace(/[.]$/, '');
  if (why === '') return word;
  return why.toLowerCase().startsWith(word) ? `${word}${why.slice(word.length)}` : `${word}: ${why}`;
}

function sayNameless(operation: Operation) {
  const words = `Request in another channel ${stateWords[operation.state]}`;
  return { line: text(timeOf(operation), ` ${words}`), reply: words };
}

function timeOf({ createdAt, endedAt }: Operation) {
  return { date: endedAt ?? createdAt, style: 'time' } as const;
}
