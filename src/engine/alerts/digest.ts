import type { Digest } from '../../core/alert/alert-subscription.ts';
import { digestView } from '../../core/alert/digest.ts';
import { sayHour, typedDay } from '../../core/time/say-hour.ts';
import { lastRun, nextOf } from '../../core/time/weekly.ts';
import { wallClock } from '../../core/time/zone.ts';
import { readerOf } from '../access/may-see.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { digestLateMs } from '../context/time-limits.ts';
import { type DigestReads, digestFacts } from './digest-facts.ts';
import { mayPost } from './publish.ts';

/** The digest: one message of a channel at its hour. */

/** Posts the digest of a channel if its hour has passed, unless a message has its key. */
export async function postDigest(
  context: EngineContext,
  channel: string,
  digest: Digest,
  reads: DigestReads,
): Promise<void> {
  const { store, now, outbox } = context;
  const due = lastRun(digest, now(), digestLateMs);
  if (due === undefined) return;
  const key = keyOf(channel, dayOf(digest, due.at));
  if ((await store.messages.find(key)) !== undefined || !(await mayPost(context, channel))) return;
  const reader = await readerOf(context, channel);
  const facts = await digestFacts(context, { channel, reader, since: due.since }, reads);
  const title = `Digest since ${sayHour(due.since, digest.timeZone)}`;
  await outbox.put({ key, channel, view: digestView(title, facts) });
}

/** One message for each day: neither another replica nor a digest that is set again posts a second one. */
function keyOf(channel: string, day: string): string {
  return `digest:${channel}:${day}`;
}

function dayOf({ timeZone }: Digest, at: number): string {
  return typedDay(wallClock(at, timeZone));
}

/** The next hour at which a digest is posted: at most one on each day. */
export async function nextDigest(
  { store, now }: Pick<EngineContext, 'now' | 'store'>,
  channel: string,
  digest: Digest,
): Promise<number> {
  const at = nextOf(digest, Math.floor(now()));
  const isPosted = (await store.messages.find(keyOf(channel, dayOf(digest, at)))) !== undefined;
  return isPosted ? nextOf(digest, at) : at;
}
