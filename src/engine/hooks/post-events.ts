import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { createSharedRuns } from '../../core/async/shared-runs.ts';
import { hour, second } from '../../core/text/words.ts';
import { notice, withCode } from '../../core/view/view.ts';
import { eventPrefix } from '../../store/records/events.ts';
import type { MessageRow } from '../../store/records/message-row.ts';
import type { HooksTable } from '../../store/schema.ts';
import { personName } from '../access/say-names.ts';
import { eventSecret } from '../alerts/make-hook.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { eventLivesMs } from '../context/time-limits.ts';
import { linksToCards } from '../operation/card-links.ts';
import type { EventHooks } from './events.ts';

const everyMs = second;
const leaseMs = 60 * second;
const mostAtOnce = 100;
/** All of one address arrive within the lease. */
const mostOfAddress = 5;
const firstRetryMs = 5 * second;

const eventSchema = z.looseObject({ at: z.number(), who: z.string().optional(), request: z.string().optional() });

/** Posts the events of the outbox, one replica at a time: at least once, in the order of each address. */
export function createEventPosting(context: EngineContext, events: EventHooks) {
  const { store, log } = context;
  let timer: NodeJS.Timeout | undefined;
  let round: Promise<unknown> | undefined;

  async function postDue(): Promise<void> {
    await events.refresh();
    if ((await store.events.due(1)).length === 0) return;
    await store.leases.hold('events', context.owner, leaseMs, async () => {
      const ofAddress = Map.groupBy(await store.events.due(mostAtOnce), ({ channel }) => channel);
      // After the events, so that the address of each is known unless it was removed.
      await events.refresh();
      await Promise.all([...ofAddress].map(([channel, messages]) => postAll(channel, messages)));
    });
  }

  async function postAll(channel: string, messages: readonly MessageRow[]): Promise<void> {
    const hook = events.list().find(({ id }) => eventPrefix + id === channel);
    if (hook === undefined) {
      await store.events.drop(channel);
      return;
    }
    for (const message of messages.slice(0, mostOfAddress)) {
      const why = await post(hook, message);
      if (why === undefined) await store.events.posted(message.key);
      else return fail(hook, message, why);
    }
  }

  /** Returns why the event did not arrive. */
  async function post(hook: HooksTable, message: MessageRow): Promise<string | undefined> {
    try {
      const body = await bodyOf(context, hook, message);
      const sentAt = Math.floor(context.now() / second);
      const headers = {
        'content-type': 'application/json',
        'webhook-id': message.key,
        'webhook-timestamp': String(sentAt),
        'webhook-signature': signatures(context, hook.id, `${message.key}.${sentAt}.${body}`),
      };
      const status = await context.eventPoster.post(hook.address ?? '', headers, body);
      return status >= 200 && status < 300 ? undefined : `status ${status}`;
    } catch (error) {
      return error instanceof Error ? error.message : 'no answer';
    }
  }

  async function fail({ id, name, channel, createdBy }: HooksTable, message: MessageRow, why: string): Promise<void> {
    const address = eventPrefix + id;
    if (context.now() - eventSchema.parse(JSON.parse(message.view)).at < eventLivesMs) {
      const delayMs = Math.min(firstRetryMs * 2 ** Math.min(message.attempts, 20), hour);
      log.warn({ hook: id, why, delayMs }, 'an event waits');
      await store.events.postpone(address, delayMs, why);
      return;
    }
    const text = `events to ${name} are off: nothing arrived for a day (${why})`;
    const words = `The ${text}. The events since are lost. An admin adds the address again with \`/host events add\`.`;
    await context.outbox.put({ key: `events-off:${id}`, channel, view: notice('warning', withCode(words)) });
    await context.audit({ kind: 'hook', actor: createdBy, channel, text, change: (on) => store.hooks.revoke(id, on) });
    await store.events.drop(address);
  }

  // A process has its own lease again and again, so two rounds of it would post each event twice.
  const once = createSharedRuns(postDue);
  const tick = () => {
    round ??= once('')
      .catch((error) => log.warn({ err: error }, 'could not post events; the next round retries'))
      .finally(() => {
        round = undefined;
      });
  };
  return {
    once: () => once(''),
    start: (): void => {
      timer = setInterval(tick, everyMs).unref();
    },
    stop: async (): Promise<void> => {
      clearInterval(timer);
      await round;
    },
  };
}

/** With the names and the link of the moment. */
async function bodyOf(context: EngineContext, { channel }: HooksTable, { key, view }: MessageRow): Promise<string> {
  const { at, who, ...event } = eventSchema.parse(JSON.parse(view));
  const link = event.request && (await linksToCards(context, [event.request])).get(event.request);
  const by = who === undefined ? {} : { who: await personName(context, who) };
  return JSON.stringify({ id: key, ...event, ...by, channel, at: new Date(at).toISOString(), ...(link && { link }) });
}

/** As Standard Webhooks 1 defines it, during a rotation of the key also with the previous one. */
function signatures({ settings }: EngineContext, hook: string, content: string): string {
  const sign = (key: Uint8Array) => createHmac('sha256', eventSecret(key, hook)).update(content).digest('base64');
  return settings.secretKeys.map((key) => `v1,${sign(key)}`).join(' ');
}
