import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { dropOldest, setBounded } from '../core/async/bounded-map.ts';
import { createForwardClock } from '../core/async/forward-clock.ts';
import { createKeyedQueue } from '../core/async/keyed-queue.ts';
import { within } from '../core/async/within.ts';
import type { Outbox, OutboxMessage } from '../engine/context/outbox.ts';
import { callTimeoutMs } from './call.ts';
import { backoffMs, type Fault, faultOf, final, gone, sayFault, takesNoReplies } from './faults.ts';
import { type Posted, sendView, threaded } from './outbound/post.ts';
import { sendFiles } from './outbound/upload.ts';
import type { Voice } from './outbound/voice.ts';

const editEveryMs = 1_000;
const sweepMs = 30_000;
const recheckMs = 1_000;
const noteAgainMs = 500;
/** The time between two postponed messages, so that their order survives two clocks with millisecond ticks. */
const stepMs = 20;
const atOnce = 20;
/** The most claimed new messages of a channel: they are sent one by one, and more would delay other channels. */
const newOfChannel = 5;
/** The pause between claims during sends, so that the next messages are claimed together. */
const gatherMs = 20;
/** Attempts after an unknown refusal, which may be temporary; its channel waits for three seconds in total. */
const triesOfUnknown = 3;
/** The most edited messages, and waiting channels, that are remembered. */
const mostRemembered = 5_000;

/**
 * Delivers the outbox to Slack. Each channel has its own lane: new messages of a channel go out in order, edits in
 * parallel to them, and a channel that has to wait, or has many messages, does not delay others. A message is edited at
 * most once a second, always to its latest state.
 *
 * A post whose response was lost is repeated: people understand a duplicate card, but cannot see a missing one. A
 * process that learns that another one posted the message too removes its own. A message whose claim is nearly over is
 * left to the next claim, since another process may be sending it.
 */
export function startDelivery(voice: Voice, outbox: Outbox, now: () => number) {
  const { log } = voice;
  const elapsed = createForwardClock(now);
  /** Keeps a channel's new messages in order. */
  const inLane = createKeyedQueue();
  const sends = new Set<Promise<void>>();
  const claimedNew = new Map<string, number>();
  /** Waiting channels: the message they wait for, the time of its retry, and the number of messages after it. */
  const waiting = new Map<string, { readonly key: string; readonly until: number; behind: number }>();
  const editedAt = new Map<string, number>();
  /** The `ts` of messages whose delivery is not stored yet: if claimed again, they are edited, not posted twice. */
  const unnoted = new Map<string, string>();
  let isStopping = false;
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  let wakesAt = Number.POSITIVE_INFINITY;
  let claimedAt = Number.NEGATIVE_INFINITY;
  let round: Promise<void> | undefined;
  let isNudged = false;
  /** True if the last claim may have left messages that are due. */
  let isMore = false;

  /** Runs one round at a time; a nudge during a round starts another one after it. */
  const wake = () => {
    if (isStopped) return;
    if (round !== undefined) {
      isNudged = true;
      return;
    }
    isNudged = false;
    round = drain()
      .catch((error) => {
        log.error({ err: error }, 'could not read the outbox; messages wait for the database');
        wakeIn(recheckMs);
      })
      .finally(() => {
        round = undefined;
        if (isNudged) wake();
      });
  };

  /** Starts a round after this time, or sooner. */
  function wakeIn(ms: number): void {
    const at = performance.now() + ms;
    if (at >= wakesAt || isStopping) return;
    clearTimeout(timer);
    wakesAt = at;
    timer = setTimeout(wake, ms);
  }

  async function drain(): Promise<void> {
    clearTimeout(timer);
    wakesAt = Number.POSITIVE_INFINITY;
    const free = atOnce - sends.size;
    if (free <= 0) return;
    const restMs = claimedAt + gatherMs - performance.now();
    if (sends.size > 0 && restMs > 0) return wakeIn(restMs);
    claimedAt = performance.now();
    const from = elapsed();
    const full = [...claimedNew].flatMap(([channel, count]) => (count >= newOfChannel ? [channel] : []));
    const messages = await outbox.claim(free, full);
    for (const message of messages) startSend(message, from);
    isMore = messages.length === free || full.length > 0;
    if (messages.length === free) isNudged = true;
    else if (!isNudged && sends.size > 0) wakeIn(recheckMs);
    else if (!isNudged) await sleepUntilDue();
  }

  function startSend(message: OutboxMessage, from: number): void {
    const { channel, key, ts } = message;
    const sendIfClaimed = async () => (elapsed() - from < outbox.claimMs - callTimeoutMs ? send(message) : undefined);
    if (ts === null) count(channel, 1);
    // Edits need no order, since they do not move their message.
    const sending = ts === null ? inLane(channel, sendIfClaimed) : sendIfClaimed();
    const sent = sending
      // Outside the lane, so that the channel's next message does not wait for the database.
      .then(async (delivered) => {
        if (delivered === undefined || !(await note(message, delivered, from))) return;
        // An edit brings them only if the note of the post was lost.
        const cutCode = delivered.ts === message.ts ? [] : delivered.cutCode;
        const thread = (delivered.isOutsideThread ? null : message.threadTs) ?? delivered.ts;
        await sendFiles(voice, { channel: await voice.channelFor(channel), thread }, [], cutCode);
      })
      .catch((error) => log.error({ err: error, message: key }, 'could not deliver a message; it stays in the outbox'))
      .finally(() => {
        sends.delete(sent);
        if (ts === null) count(channel, -1);
        // Slow sends do not delay the others, and replies may have waited for this message.
        if (isMore || isStopping || (ts === null && message.threadTs === null)) wake();
        else if (sends.size === 0) wakeIn(recheckMs);
      });
    sends.add(sent);
  }

  function count(channel: string, more: 1 | -1): void {
    const total = (claimedNew.get(channel) ?? 0) + more;
    if (total === 0) claimedNew.delete(channel);
    else claimedNew.set(channel, total);
  }

  async function sleepUntilDue(): Promise<void> {
    const dueInMs = await outbox.nextDueInMs().catch(() => undefined);
    // A due message that could not be claimed waits for its parent or belongs to another replica.
    const untilDueMs = dueInMs === undefined ? sweepMs : dueInMs > 0 ? dueInMs : recheckMs;
    wakeIn(Math.min(sweepMs, Math.ceil(untilDueMs)));
  }

  async function send(message: OutboxMessage): Promise<Posted | undefined> {
    const waitMs = placeInQueue(message) - elapsed();
    if (waitMs > 0) return postpone(message.key, waitMs, 'the channel waits');
    const sinceEditMs = elapsed() - (editedAt.get(message.key) ?? Number.NEGATIVE_INFINITY);
    if (message.ts !== null && sinceEditMs < editEveryMs)
      return postpone(message.key, editEveryMs - sinceEditMs, 'edited less than a second ago');
    let delivered: Posted;
    try {
      delivered = await postOrEdit({ ...message, ts: message.ts ?? unnoted.get(message.key) ?? null });
    } catch (error) {
      await handleFault(message, faultOf(error));
      return undefined;
    }
    endWait(message.channel);
    if (delivered.ts === message.ts) setBounded(editedAt, message.key, elapsed(), mostRemembered);
    unnoted.set(message.key, delivered.ts);
    return delivered;
  }

  async function postpone(key: string, ms: number, why: string): Promise<undefined> {
    await outbox.postpone(key, ms, why);
    wakeIn(Math.ceil(ms));
  }

  /** Retries while the claim lasts: after it, another process posts the message again. A copy is removed: false. */
  async function note(message: OutboxMessage, { ts, isOutsideThread }: Posted, from: number): Promise<boolean> {
    const { key, version } = message;
    let isOurs: boolean | undefined;
    while (isOurs === undefined)
      isOurs = await outbox.delivered(key, version, ts, isOutsideThread).catch(async (error: unknown) => {
        if (isStopped || elapsed() - from > outbox.claimMs) throw error;
        await pause(noteAgainMs);
        return undefined;
      });
    unnoted.delete(key);
    if (isOurs || ts === message.ts) return true;
    log.info({ message: key }, 'another process posted a message as well; removing the copy');
    await voice.web.call('chat.delete', { channel: await voice.channelFor(message.channel), ts }, z.unknown());
    return false;
  }

  /** The time of a message's next attempt: first the message that its channel waits for, then the others in order. */
  function placeInQueue({ channel, key }: OutboxMessage): number {
    const queue = waiting.get(channel);
    if (queue === undefined) return 0;
    if (queue.key === key) return queue.until;
    if (elapsed() >= queue.until + stepMs) return 0;
    queue.behind += 1;
    return queue.until + queue.behind * stepMs;
  }

  /** Ends the channel's wait, unless Slack limited another message that was sent at the same time. */
  function endWait(channel: string): void {
    if ((waiting.get(channel)?.until ?? 0) <= elapsed()) waiting.delete(channel);
  }

  async function postOrEdit(message: OutboxMessage): Promise<Posted> {
    const channel = await voice.channelFor(message.channel);
    if (message.ts === null) return post(message, channel);
    try {
      const args = { channel, ts: message.ts };
      return await sendView(voice, 'chat.update', args, message.view, { generation: message.version });
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== 'refused' || !gone.has(fault.code)) throw error;
      log.info({ message: message.key, code: fault.code }, 'a message was removed from Slack; posting it again');
      return inLane(message.channel, () => post(message, channel));
    }
  }

  async function post({ key, threadTs, view }: OutboxMessage, channel: string): Promise<Posted> {
    try {
      const posted = await sendView(voice, 'chat.postMessage', threaded(channel, threadTs ?? undefined), view);
      if (posted.isOutsideThread)
        log.info({ message: key }, 'the parent message was deleted; the reply is in the channel');
      return posted;
    } catch (error) {
      const fault = faultOf(error);
      if (threadTs === null || fault.kind !== 'refused' || !takesNoReplies.has(fault.code)) throw error;
      return { ...(await sendView(voice, 'chat.postMessage', { channel }, view)), isOutsideThread: true };
    }
  }

  async function handleFault(message: OutboxMessage, fault: Fault): Promise<void> {
    if (fault.kind === 'refused' && (final.has(fault.code) || message.attempts + 1 >= triesOfUnknown)) {
      log.warn({ message: message.key, code: fault.code }, 'a message can never be delivered');
      endWait(message.channel);
      return outbox.undeliverable(message.key, fault.code);
    }
    const delayMs = backoffMs(fault, message.attempts);
    // The channel's later messages wait too, or they would overtake this one. The longest wait of several counts.
    const until = elapsed() + delayMs;
    if (until > (waiting.get(message.channel)?.until ?? 0)) {
      waiting.set(message.channel, { key: message.key, until, behind: 0 });
      dropOldest(waiting, mostRemembered);
    }
    log.warn({ message: message.key, channel: message.channel, why: sayFault(fault), delayMs }, 'a message waits');
    await postpone(message.key, delayMs, sayFault(fault));
  }

  const unsubscribe = outbox.onNudge(wake);
  wake();
  return {
    /** Sends the messages that are due now; resolves when all are sent or the time is over. */
    stop: async (withinMs: number) => {
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
    /** The numbers of messages being sent and of waiting channels, for metrics. */
    state: () => ({
      sending: sends.size,
      waiting: [...waiting.values()].filter((queue) => queue.until > elapsed()).length,
    }),
  };
}
