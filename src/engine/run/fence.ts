import type { BotWriter } from '../../core/command/bot-port.ts';
import type { WriteContext } from '../../core/command/command.ts';
import type { CallOptions, Provider } from '../../provider/client.ts';

/**
 * Well below the time for which a lost response is followed (polling-schedule.ts), so that "not applied" holds even if
 * the process was frozen in the last check of a write, or between storing and sending it.
 */
const sendWithinMs = 60_000;

/**
 * Guards one write: records whether it may still be sent and whether it was sent. Measures with the shared clock and with
 * a monotonic one, which clock corrections do not move.
 */
export function createFence(now: () => number) {
  const since = { wall: now(), steady: performance.now() };
  let wasSent = false;
  const mayStillSend = () => {
    const elapsedMs = Math.max(now() - since.wall, performance.now() - since.steady);
    if (elapsedMs > sendWithinMs) return false;
    wasSent = true;
    return true;
  };
  return {
    mayStillSend,
    /** True once a request may have been sent or a setting changed: a later error does not prove that nothing happened. */
    wasSent: () => wasSent,
    around: (context: WriteContext<Provider>): WriteContext<Provider> => ({
      ...context,
      provider: fenced(context.provider, { mayStillSend, hasSlot: true }),
      bot: noting(context.bot, () => {
        wasSent = true;
      }),
    }),
  };
}

type Call = (input?: unknown, options?: CallOptions) => unknown;

/** The same client, with the fence checked before each call. */
function fenced(provider: Provider, options: CallOptions): Provider {
  const areas = Object.entries<Readonly<Record<string, unknown>>>(provider).map(([area, methods]) => [
    area,
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        // Every member of an area is such a method: provider/client.ts builds areas from the endpoint table.
        (input?: unknown, more?: CallOptions) => (method as Call)(input, { ...more, ...options }),
      ]),
    ),
  ]);
  // The object has the provider's own areas and methods.
  return Object.fromEntries(areas) as Provider;
}

/** Reports each change to the bot's own settings, which is a write although nothing is sent. */
function noting(bot: BotWriter, onCall: () => void): BotWriter {
  return new Proxy(bot, {
    get: (target, name, receiver) => {
      const member: unknown = Reflect.get(target, name, receiver);
      if (name === 'alerts' || typeof member === 'function') onCall();
      return member;
    },
  });
}
