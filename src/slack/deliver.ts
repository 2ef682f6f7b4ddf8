import { createForwardClock } from '../core/async/forward-clock.ts';
import { createKeyedQueue } from '../core/async/keyed-queue.ts';
import { within } from '../core/async/within.ts';
import type { Outbox, OutboxMessage } from '../engine/context/ports.ts';
import { callTimeoutMs } from './call.ts';
import { type Fault, faultOf, sayFault } from './faults.ts';
import type { SlackLog } from './log.ts';
import type { Direct } from './outbound/direct.ts';
import { sendView, type Voice } from './outbound/post.ts';
import { final, gone, takesNoReplies } from './outbound/refused-messages.ts';

/**
 * Brings Slack in line with the outbox. Each channel is a lane of its own: new messages of one channel go out in order,
 * edits beside them, and a channel that has to wait, or has many of them, holds up no other. A message is edited at most
 * once a second; what changed meanwhile is sent as one, the last state always.
 *
 * A post whose answer was lost is posted again: a card twice can be seen and understood, a card never cannot. A message
 * whose claim is nearly over, behind a slow one or in a process that stood still, is left to the next claim: another
 * process may be sending it.
 */
export interface OutboxDelivery {
  /** Sends the messages that are due now; resolves when nothing is left or the time is over. */
  readonly stop: (withinMs: number) => Promise<void>;
  /** For metrics: messages being sent, channels that wait. */
  readonly state: () => { readonly sending: number; readonly waiting: number };
}

const editEveryMs = 1_000;
const sweepMs = 30_000;
const recheckMs = 1_000;
/** Apart enough that two messages do not change places between two clocks that tick in milliseconds. */
const stepMs = 20;
const atOnce = 20;
/** New messages of one channel are sent one after the other; with more of them at hand it would only keep others waiting. */
const newOfChannel = 5;
/** While several are being sent, the next are claimed together. */
const gatherMs = 20;
const longestBackoffMs = 60_000;
/** Retries wait no longer than this: when Slack is back, people have waited long enough. */
const longestAwayMs = 15_000;

/** A refusal that nobody has heard of may be one of a moment; its channel waits for three seconds and not longer. */
const triesOfUnknown = 3;

interface Brought {
  readonly ts: string;
  /** It was meant for a thread and stands in the channel. */
  readonly isAtRoot: boolean;
}

export function startDelivery({
  voice,
  log,
  direct,
  outbox,
  now,
}: {
  voice: Voice;
  log: SlackLog;
  direct: Direct;
  outbox: Outbox;
  now: () => number;
}): OutboxDelivery {
  const elapsed = createForwardClock(now);
  /** A channel's new messages arrive in order. */
  const inLane = createKeyedQueue();
  const sends = new Set<Promise<void>>();
  /** How many new messages of each channel are at hand. */
  const atHand = new Map<string, number>();
  /** Channels that wait: for which message, until when, and how many stand behind it. */
  const waiting = new Map<string, { readonly key: string; readonly until: number; behind: number }>();
  const editedAt = new Map<string, number>();
  /** Posted, but the store did not take note of it: claimed again, it is edited and not posted twice. */
  const unnoted = new Map<string, string>();
  let isStopping = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let claimedAt = Number.NEGATIVE_INFINITY;
  let round: Promise<void> | undefined;
  let isAskedAgain = false;

  /** One round at a time; a nudge during a round starts another after it. */
  const wake = () => {
    if (isStopped) return;
    if (round !== undefined) {
      isAskedAgain = true;
      return;
    }
    isAskedAgain = false;
    round = drain()
      .catch((error) => {
        log.error({ err: error }, 'reading the outbox: messages wait until the store answers');
        timer = setTimeout(wake, recheckMs);
      })
      .finally(() => {
        round = undefined;
        if (isAskedAgain) wake();
      });
  };

  async function drain(): Promise<void> {
    clearTimeout(timer);
    const free = atOnce - sends.size;
    // Each message that was sent wakes us again; others need not wait for those that Slack is slow to take.
    if (free <= 0) return;
    const restMs = claimedAt + gatherMs - performance.now();
    if (sends.size > 0 && restMs > 0) {
      timer = setTimeout(wake, restMs);
      return;
    }
    claimedAt = performance.now();
    const from = elapsed();
    const full = [...atHand].flatMap(([channel, count]) => (count >= newOfChannel ? [channel] : []));
    const messages = await outbox.claim(free, full);
    for (const message of messages) take(message, from);
    if (messages.length === free) isAskedAgain = true;
    else if (!isAskedAgain && sends.size > 0) timer = setTimeout(wake, recheckMs);
    else if (!isAskedAgain) await sleepUntilDue();
  }

  function take(message: OutboxMessage, from: number): void {
    const { channel, key, ts } = message;
    const sendIfClaimed = async () => (elapsed() - from < outbox.claimMs - callTimeoutMs ? send(message) : undefined);
    if (ts === null) count(channel, 1);
    // An edit overtakes nothing: its message stands where it stood.
    const sending = ts === null ? inLane(channel, sendIfClaimed) : sendIfClaimed();
    const sent = sending
      // The next of the channel need not wait for the database.
      .then((brought) => brought && note(message, brought))
      .catch((error) => log.error({ err: error, message: key }, 'delivering a message: it stays in the outbox'))
      .finally(() => {
        sends.delete(sent);
        if (ts === null) count(channel, -1);
        wake();
      });
    sends.add(sent);
  }

  function count(channel: string, more: 1 | -1): void {
    const now = (atHand.get(channel) ?? 0) + more;
    if (now === 0) atHand.delete(channel);
    else atHand.set(channel, now);
  }

  async function sleepUntilDue(): Promise<void> {
    const dueInMs = await outbox.nextDueInMs().catch(() => undefined);
    // Due and yet not given to us: it waits for its parent or for another replica.
    const untilDueMs = dueInMs === undefined ? sweepMs : dueInMs > 0 ? dueInMs : recheckMs;
    const inMs = Math.min(sweepMs, Math.ceil(untilDueMs));
    clearTimeout(timer);
    if (!isStopping) timer = setTimeout(wake, inMs);
  }

  async function send(message: OutboxMessage): Promise<Brought | undefined> {
    const waitMs = placeInQueue(message) - elapsed();
    if (waitMs > 0) return postpone(message, waitMs, 'the channel waits');
    const sinceEditMs = elapsed() - (editedAt.get(message.key) ?? Number.NEGATIVE_INFINITY);
    if (message.ts !== null && sinceEditMs < editEveryMs) {
      return postpone(message, editEveryMs - sinceEditMs, 'edited less than a second ago');
    }
    let brought: Brought;
    try {
      brought = await bring({ ...message, ts: message.ts ?? unnoted.get(message.key) ?? null });
    } catch (error) {
      await after(message, faultOf(error));
      return undefined;
    }
    goOn(message.channel);
    const { ts } = brought;
    if (ts === message.ts) {
      editedAt.delete(message.key);
      editedAt.set(message.key, elapsed());
      forget(editedAt);
    }
    unnoted.set(message.key, ts);
    return brought;
  }

  async function postpone(message: OutboxMessage, delayMs: number, why: string): Promise<undefined> {
    await outbox.postpone(message.key, delayMs, why);
  }

  async function note({ key, version }: OutboxMessage, { ts, isAtRoot }: Brought): Promise<void> {
    await outbox.delivered(key, version, ts, isAtRoot);
    unnoted.delete(key);
  }

  /** The time of a message's next try: the one its channel waits for first, those behind it in the order they came. */
  function placeInQueue({ channel, key }: OutboxMessage): number {
    const queue = waiting.get(channel);
    if (queue === undefined) return 0;
    if (queue.key === key) return queue.until;
    if (elapsed() >= queue.until + stepMs) return 0;
    queue.behind += 1;
    return queue.until + queue.behind * stepMs;
  }

  /** Unless another that was under way at the same time was told to wait. */
  function goOn(channel: string): void {
    if ((waiting.get(channel)?.until ?? 0) <= elapsed()) waiting.delete(channel);
  }

  async function bring(message: OutboxMessage): Promise<Brought> {
    const channel = await direct.channelFor(message.channel);
    if (message.ts === null) return post(message, channel);
    try {
      const args = { channel, ts: message.ts };
      return { ts: (await sendView(voice, 'chat.update', args, message.view, message.version)).ts, isAtRoot: false };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== 'refused' || !gone.has(fault.code)) throw error;
      log.info({ message: message.key, code: fault.code }, 'a message was removed from Slack; it is posted anew');
      return inLane(message.channel, () => post(message, channel));
    }
  }

  async function post({ key, threadTs, view }: OutboxMessage, channel: string): Promise<Brought> {
    const atRoot = async (isAtRoot: boolean) => {
      const { ts } = await sendView(voice, 'chat.postMessage', { channel }, view);
      return { ts, isAtRoot };
    };
    if (threadTs === null) return atRoot(false);
    try {
      const posted = await sendView(voice, 'chat.postMessage', { channel, thread_ts: threadTs }, view);
      const isAtRoot = posted.isOutsideThread;
      if (isAtRoot) log.info({ message: key }, 'the message to answer was deleted; the answer stands in the channel');
      return { ts: posted.ts, isAtRoot };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== 'refused' || !takesNoReplies.has(fault.code)) throw error;
      return atRoot(true);
    }
  }

  async function after(message: OutboxMessage, fault: Fault): Promise<void> {
    if (fault.kind === 'refused' && (final.has(fault.code) || message.attempts + 1 >= triesOfUnknown)) {
      log.warn({ message: message.key, code: fault.code }, 'a message can never be delivered');
      goOn(message.channel);
      return outbox.undeliverable(message.key, fault.code);
    }
    const longestMs = fault.kind === 'away' ? longestAwayMs : longestBackoffMs;
    const backoffMs = Math.min(longestMs, 1_000 * 2 ** Math.min(message.attempts, 6));
    const delayMs =
      fault.kind === 'limited' ? fault.retryAfterMs : fault.kind === 'revoked' ? longestBackoffMs : backoffMs;
    // Later messages of this channel wait too, or they would overtake it.
    const until = elapsed() + delayMs;
    // Of several that were under way at once, the longest wait counts.
    if (until > (waiting.get(message.channel)?.until ?? 0)) {
      waiting.set(message.channel, { key: message.key, until, behind: 0 });
      forget(waiting);
    }
    log.warn({ message: message.key, channel: message.channel, why: sayFault(fault), delayMs }, 'a message waits');
    await outbox.postpone(message.key, delayMs, sayFault(fault));
  }

  const unsubscribe = outbox.onNudge(wake);
  wake();
  return {
    stop: async (withinMs) => {
      isStopping = true;
      const until = performance.now() + withinMs;
      wake();
      while ((round !== undefined || sends.size > 0) && performance.now() < until) {
        await within(Promise.allSettled([round, ...sends]), until - performance.now());
      }
      isStopped = true;
      unsubscribe();
      clearTimeout(timer);
    },
    state: () => ({
      sending: sends.size,
      waiting: [...waiting.values()].filter((queue) => queue.until > elapsed()).length,
    }),
  };
}

/** The oldest of a map that would otherwise grow with every message ever edited. */
function forget(times: Map<string, unknown>): void {
  const oldest = times.keys().next().value;
  if (times.size > 5_000 && oldest !== undefined) times.delete(oldest);
}
