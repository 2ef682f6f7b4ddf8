import type { Digest } from '../../core/alert/alert-subscription.ts';
import { digestBlocks } from '../../core/alert/digest.ts';
import { letsSomebody } from '../../core/policy/evaluate.ts';
import { day, hour } from '../../core/text/words.ts';
import { sayHour, typedDay } from '../../core/time/say-hour.ts';
import { nextOf } from '../../core/time/weekly.ts';
import { wallClock } from '../../core/time/zone.ts';
import { type Text, text, type View } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type DigestReader, type DigestReads, digestFacts } from './digest-facts.ts';
import { mayPost } from './publish.ts';

/** The digest: one message of a channel at its hour. */

/** A digest that cannot be posted within this time after its hour is left out. */
const lateMs = 3 * hour;

/** Stands for all people who read the channel. */
async function readerOf({ policies }: EngineContext, channel: string): Promise<DigestReader> {
  const grants = (await policies.get(channel))?.grants ?? [];
  return { channel, may: (capability, target) => letsSomebody(grants, capability, target) };
}

/**
 * Posts the digest of a channel if its hour has passed. The key of the message is its day, so that neither another
 * replica nor a digest that is set again on that day posts a second one.
 */
export async function postDigest(
  context: EngineContext,
  channel: string,
  digest: Digest,
  reads: DigestReads,
): Promise<void> {
  const { store, now, outbox } = context;
  const dueAt = nextOf(digest, Math.floor(now()) - lateMs);
  if (dueAt > now() || dueAt < digest.since) return;
  const key = keyOf(channel, digest, dueAt);
  if ((await store.messages.find(key)) !== undefined || !(await mayPost(context, channel))) return;
  const since = hourBefore(digest, dueAt);
  const reader = await readerOf(context, channel);
  const facts = await digestFacts(context, { channel, reader, since }, reads);
  await outbox.put({
    key,
    channel,
    view: drawDigest(digestBlocks(`Digest since ${sayHour(since, digest.timeZone)}`, facts)),
  });
}

function keyOf(channel: string, { timeZone }: Digest, at: number): string {
  return `digest:${channel}:${typedDay(wallClock(at, timeZone))}`;
}

/** The next hour at which a digest is posted: at most one on each day. */
export async function nextDigest(
  { store, now }: Pick<EngineContext, 'now' | 'store'>,
  channel: string,
  digest: Digest,
): Promise<number> {
  const at = nextOf(digest, Math.floor(now()));
  const isPosted = (await store.messages.find(keyOf(channel, digest, at))) !== undefined;
  return isPosted ? nextOf(digest, at) : at;
}

function hourBefore(digest: Digest, at: number): number {
  for (let days = 1; days <= 7; days += 1) {
    const before = nextOf(digest, at - days * day - 2 * hour);
    if (before < at) return before;
  }
  return at - 7 * day;
}

function drawDigest(blocks: readonly (readonly Text[])[]): View {
  const [[first = ''] = []] = blocks;
  return {
    summary: first,
    parts: blocks.map((lines) => ({
      kind: 'text',
      text: text(...lines.flatMap((line, at) => (at === 0 ? [line] : ['\n', line]))),
    })),
  };
}
