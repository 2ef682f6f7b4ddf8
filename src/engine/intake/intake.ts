import { Refusal } from '../../core/errors.ts';
import { createRateLimit } from '../../core/rate-limit.ts';
import { notice } from '../../core/view.ts';
import { domainsOf, type EngineContext } from '../context/engine-context.ts';
import { type Request, requestSchema } from '../context/request.ts';
import { errorView } from '../operation/error-view.ts';
import { acknowledgementOf } from './acknowledgement.ts';
import { createFairStart } from './fair-start.ts';

/** Everything comes in here: written down once, worked on once, and taken up again after a crash. */
export interface Intake {
  readonly receive: (request: Request, opens?: 'opens') => Promise<boolean>;
  readonly handle: (request: Request) => Promise<void>;
  /** Like handle, for what has an answer of its own. The work may answer before it is done: then it says what is left. */
  readonly through: <T>(
    request: Request,
    work: (goesOn: (rest: Promise<unknown>) => void) => Promise<T>,
    onError: (error: unknown) => T,
  ) => Promise<T>;
  /** What a process that ended left unfinished. */
  readonly resume: () => Promise<void>;
  readonly isTooMuch: (actor: string) => boolean;
  readonly tooMuchWords: string;
  /** Resolves when nothing is being worked on. */
  readonly drain: () => Promise<void>;
}

const claimMs = 60_000;
/** A change that was asked for so long ago is not begun by surprise: the person is told instead. */
const staleAfterMs = 10 * 60_000;

export function createIntake(
  context: EngineContext,
  { work }: { work: (request: Request, isAgain: boolean) => Promise<void> },
): Intake {
  const { store, settings, now, messenger, log } = context;
  const admit = createRateLimit(settings.requestsPerMinute, now);
  const itsTurn = createFairStart();
  const working = new Set<Promise<unknown>>();
  /** Requests that are worked on, and until when they are claimed. */
  const underWay = new Map<string, number>();
  /** What was written down as to be done, so that its end is to be noted. */
  const owed = new Set<string>();
  const tooMuchWords = `That is more than ${settings.requestsPerMinute} requests in a minute. Nothing was started; wait a little.`;

  async function track<T>(promise: Promise<T>): Promise<T> {
    working.add(promise);
    try {
      return await promise;
    } finally {
      working.delete(promise);
    }
  }

  async function done(request: Request): Promise<void> {
    underWay.delete(request.id);
    if (!owed.delete(request.id)) return;
    await store.inbox.finish(request.id).catch((error) => log.warn({ err: error }, 'noting that a request is done'));
  }

  /** Its claim is kept up from now on: in a crowd it may wait for its turn. */
  function begin(request: Request, isAgain: boolean): Promise<void> {
    underWay.set(request.id, now() + claimMs);
    return track(itsTurn().then(() => handle(request, isAgain)));
  }

  async function handle(request: Request, isAgain: boolean): Promise<void> {
    try {
      const admission = admit(request.actor);
      if (admission === 'yes') await work(request, isAgain);
      else if (admission === 'no_tell')
        await messenger.postEphemeral(request.place, request.actor, notice('warning', tooMuchWords));
    } catch (error) {
      await tell(request, error);
    }
    await done(request);
  }

  /** What takes longer than its claim is still ours: nobody else is to begin it. */
  async function renew(): Promise<void> {
    for (const [key, until] of underWay) {
      if (until - now() > claimMs / 2) continue;
      underWay.set(key, now() + claimMs);
      await store.inbox.claim(key, context.owner, now() + claimMs);
    }
  }

  async function tell(request: Request, error: unknown): Promise<void> {
    const view = errorView(error, 'working on your request', log);
    await messenger
      .postEphemeral(request.place, request.actor, view)
      .catch((reason) => log.error({ err: reason }, 'telling a person about an error'));
  }

  return {
    tooMuchWords,
    receive: async (request, opens) => {
      const isChange =
        opens === undefined && acknowledgementOf(context.commands, domainsOf(context), request) === 'change';
      const isNew = await store.inbox.receive({
        key: request.id,
        kind: request.ask.kind,
        // A read or a form that a crash cut off is asked for again by whoever wants it; a change is ours to finish.
        ...(isChange
          ? { body: JSON.stringify(request), claim: { owner: context.owner, untilMs: now() + claimMs } }
          : { body: '', state: 'done' as const }),
      });
      if (isNew && isChange) owed.add(request.id);
      return isNew;
    },
    handle: (request) => begin(request, false),
    through: (request, work, onError) =>
      track(
        (async () => {
          let rest: Promise<unknown> = Promise.resolve();
          const goesOn = (left: Promise<unknown>) => {
            rest = left;
          };
          try {
            if (admit(request.actor) !== 'yes') return onError(new Refusal('rate_limited', tooMuchWords));
            return await work(goesOn);
          } catch (error) {
            return onError(error);
          } finally {
            // Not before all of it: what a crash cuts off here was accepted, and is taken up again.
            void track(rest.catch(() => undefined).then(() => done(request)));
          }
        })(),
      ),
    resume: async () => {
      await renew();
      for (const row of await store.inbox.unfinished(now(), 100)) {
        if (!(await store.inbox.claim(row.key, context.owner, now() + claimMs))) continue;
        const request = requestSchema.safeParse(JSON.parse(row.body));
        if (!request.success) {
          log.error({ request: row.key }, 'a stored request cannot be read by this version');
          await store.inbox.finish(row.key);
          continue;
        }
        if (now() - row.receivedAt > staleAfterMs) {
          await messenger
            .postEphemeral(
              request.data.place,
              request.data.actor,
              notice(
                'warning',
                'I was away when you asked for something a while ago. I have not started it; ask again if you still want it.',
              ),
            )
            .catch((error) => log.warn({ err: error }, 'telling about a stale request'));
          await store.inbox.finish(row.key);
          continue;
        }
        owed.add(row.key);
        // Not waited for: one that hangs must not hold up the others, nor the start.
        void begin(request.data, true);
      }
    },
    isTooMuch: (actor) => admit(actor) !== 'yes',
    drain: async () => {
      while (working.size > 0) await Promise.allSettled(working);
    },
  };
}
