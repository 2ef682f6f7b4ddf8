import type { BotWriter } from '../../core/command/bot.ts';
import type { WriteContext } from '../../core/command/command.ts';
import type { CallOptions, Provider } from '../../provider/client.ts';

/**
 * Well within the time for which a lost answer is followed (polling-schedule.ts), so that "not applied" is right even
 * about a process that was frozen between storing a write and sending it.
 */
const sendWithinMs = 60_000;

/** Guards one write: whether it may still be sent, and whether it was. */
export interface Fence {
  readonly mayStillSend: () => boolean;
  /** A request may have been sent, or a setting changed: an error after that does not prove that nothing happened. */
  readonly wasSent: () => boolean;
  readonly around: (context: WriteContext<Provider>) => WriteContext<Provider>;
}

/** Measured by the shared clock, and by a monotonic one that no correction moves. */
export function createFence(now: () => number): Fence {
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
    wasSent: () => wasSent,
    around: (context) => ({
      ...context,
      provider: fenced(context.provider, { mayStillSend, hasSlot: true }),
      bot: noting(context.bot, () => {
        wasSent = true;
      }),
    }),
  };
}

type Call = (input?: unknown, options?: CallOptions) => unknown;

/** The same client, each call of which asks first. */
function fenced(provider: Provider, options: CallOptions): Provider {
  const areas = Object.entries<Readonly<Record<string, unknown>>>(provider).map(([area, methods]) => [
    area,
    Object.fromEntries(
      Object.entries(methods).map(([name, method]) => [
        name,
        // Every member of an area is such a method (provider/client.ts makes them from the table).
        (input?: unknown, more?: CallOptions) => (method as Call)(input, { ...more, ...options }),
      ]),
    ),
  ]);
  // Made of the provider's own areas and methods, one by one.
  return Object.fromEntries(areas) as Provider;
}

/** Reports each change that the bot makes to itself: it is a write too, although it is sent nowhere. */
function noting(bot: BotWriter, onCall: () => void): BotWriter {
  return new Proxy(bot, {
    get: (target, name, receiver) => {
      const found: unknown = Reflect.get(target, name, receiver);
      if (name === 'alerts' || typeof found === 'function') onCall();
      return found;
    },
  });
}
