import { aside } from '../../core/async/aside.ts';
import { type Admission, createRateLimit } from '../../core/async/rate-limit.ts';
import { storedLate } from '../../core/view/errors.ts';
import { notice, plain } from '../../core/view/view.ts';
import type { InboxTable } from '../../store/schema.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { errorView } from '../context/error-view.ts';
import type { Accepted, FormAnswer, ModalChance, SubmitAnswer } from '../context/ports.ts';
import { operationSeed, type Request, withoutPrivateKeys } from '../context/request.ts';
import { staleAfterMs } from '../context/time-limits.ts';
import { type TypedLine, typedLineOf } from '../context/typed-line.ts';
import { endCutOff } from '../operation/end.ts';
import { acknowledgementOf, type Details } from './dispatch.ts';
import { createFairStart } from './fair-start.ts';
import { notifyNeverFinished, notifyStale, notifyUnreadable, readStored } from './given-up.ts';
import { createStoredLate } from './stored-late.ts';

/** Handlers of a request, by the kind of its response. Only `handle` is called again after a crash. */
interface Work {
  readonly handle: (request: Request, details: Details) => Promise<void>;
  readonly form: (request: Request, typed: TypedLine | undefined) => Promise<FormAnswer>;
  readonly submit: (request: Request) => Promise<SubmitAnswer>;
}

/** How long a request waits for a process that no longer renews its claim. Each round renews it. */
const claimMs = 5_000;
/**
 * How long an expired claim still counts. After an outage of the database, a process renews its expired claims or
 * finishes its requests before another process claims them. With a round each second, another process begins the
 * request of a killed one within ten seconds.
 */
const graceMs = 2_000;
/** Longer before a request is given up, since a process that was only frozen may still work on it. */
const givenUpAfterMs = 20_000;
/** A request begun this often may have crashed each process, or met kills at random: its requester is notified. */
const mostBegun = 2;
/** After this time without its response, a person repeats a line; the earlier one's response serves both. */
const repeatedAfterMs = 3_000;

/** Accepts every request: stores it once, works on it once, and resumes it after a crash. */
export function createIntake(context: EngineContext, work: Work) {
  const { store, settings, now, elapsed, messenger, log } = context;
  const limit = createRateLimit(settings.requestsPerMinute, elapsed);
  const fairStart = createFairStart();
  const working = new Set<Promise<unknown>>();
  /** Ids of requests that this process has claimed and works on. */
  const underWay = new Set<string>();
  /** Requests with expired claims, and when this process found them. */
  const expired = new Map<string, number>();
  /** Requests that are stored as unfinished and must be marked done, and until when their claim holds for certain. */
  const unfinished = new Map<string, number>();
  /** Ids of finished requests that the store could not mark done yet. */
  const unmarkedIds = new Set<string>();
  /** Finished requests whose end the audit could not record yet: their claims are renewed meanwhile. */
  const unrecordedEnds = new Set<Request>();
  /** The time at which each typed read under way began, by person, channel, thread and line. */
  const reading = new Map<string, number>();
  const lateRequests = createStoredLate(context, claimMs);
  /** The limits of a machine are separate from those of the person who made its token. */
  const limited = ({ actor, place }: Request) => place.call?.token.id ?? actor;
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
    if (!unfinished.delete(request.id)) return;
    await store.inbox.finish(request.id).catch((error) => {
      log.warn({ err: error }, 'could not mark a request done; retrying');
      unmarkedIds.add(request.id);
    });
  }

  /** Renews the claim from now on, since under load the request may wait. */
  function begin(request: Request, typed: TypedLine | undefined, isAgain: boolean): Promise<void> {
    underWay.add(request.id);
    return track(fairStart.begin().then(() => handleIfOurs(request, typed, isAgain)));
  }

  /** A process that was frozen before it began may have lost the request to another one. */
  async function handleIfOurs(request: Request, typed: TypedLine | undefined, isAgain: boolean): Promise<void> {
    const until = unfinished.get(request.id);
    if (until === undefined || elapsed() <= until || (await isStillOurs(request.id)))
      return handle(request, typed, isAgain);
    underWay.delete(request.id);
    unfinished.delete(request.id);
  }

  /** False without an answer of the store: the next round of any process begins the request. */
  async function isStillOurs(id: string): Promise<boolean> {
    const kept = await store.inbox.keep([id], context.owner, claimMs).catch((): string[] => []);
    return kept.includes(id);
  }

  async function handle(request: Request, typed: TypedLine | undefined, isAgain: boolean): Promise<void> {
    try {
      await work.handle(request, { typed, isAgain });
    } catch (error) {
      await replyError(request, error);
    }
    if (isAgain) await endOrNote(request);
    if (!unrecordedEnds.has(request)) await done(request);
  }

  async function endOrNote(request: Request): Promise<void> {
    await endCutOff(context, operationSeed(request)).catch((error) => {
      log.warn({ err: error }, 'could not record the end of an interrupted request; retrying');
      unrecordedEnds.add(request);
    });
  }

  /** Renews claims before they expire, so that no other process begins a request that this one works on. */
  async function renew(): Promise<void> {
    if (underWay.size === 0) return;
    const until = elapsed() + claimMs;
    for (const id of await store.inbox.keep([...underWay], context.owner, claimMs))
      if (unfinished.has(id)) unfinished.set(id, until);
  }

  /** Returns the requests of ended processes. With SQLite, the start released their claims: no other process exists. */
  async function leftBehind(): Promise<InboxTable[]> {
    const rows = await store.inbox.unfinished(100);
    const firstSeen = new Map(expired);
    expired.clear();
    return rows.filter(({ key, claimedUntil, begun }) => {
      const since = firstSeen.get(key) ?? elapsed();
      expired.set(key, since);
      return claimedUntil === 0 || elapsed() - since >= (begun >= mostBegun ? givenUpAfterMs : graceMs);
    });
  }

  /** Retries updates that the store did not confirm, so that no other process begins these requests again. */
  async function catchUp(): Promise<void> {
    for (const id of unmarkedIds) {
      await store.inbox.finish(id);
      unmarkedIds.delete(id);
    }
    for (const request of unrecordedEnds) {
      await endCutOff(context, operationSeed(request));
      unrecordedEnds.delete(request);
      await done(request);
    }
    for (const request of await lateRequests.list()) {
      if (underWay.has(request.id)) continue;
      unfinished.set(request.id, elapsed() + claimMs);
      const corrected = messenger.postEphemeral(request.place, request.actor, notice('info', storedLate));
      const begun = begin(request, typedLineOf(context, request), false);
      aside(Promise.all([corrected, begun]), log, 'running a request that was stored after a delay');
    }
  }

  async function replyError(request: Request, error: unknown): Promise<void> {
    const view = errorView(error, 'Your request', log);
    await messenger
      .postEphemeral(request.place, request.actor, view)
      .catch((reason) => log.error({ err: reason }, 'could not notify a person about an error'));
  }

  /** `isOurs`: the bot resumes an interrupted change. An interrupted read or form is not resumed. */
  function write(request: Request, isOurs: boolean, admission: Admission): Promise<boolean> {
    const claim = { owner: context.owner, forMs: claimMs };
    const until = elapsed() + claimMs;
    const storing = store.inbox.receive({
      key: request.id,
      ...(isOurs ? { body: JSON.stringify(request), claim } : { body: '', state: 'done' }),
    });
    const stored = storing.then(
      (isNew) => {
        if (isNew && isOurs) unfinished.set(request.id, until);
        if (!isNew) limit.giveBack(limited(request), admission);
        return isNew;
      },
      (error: unknown) => {
        if (isOurs) lateRequests.note(request, error);
        throw error;
      },
    );
    // The caller handles the rejection; this keeps Node from reporting it as unhandled before that.
    fairStart.arrives(stored);
    return stored;
  }

  /** Answers a request above the rate limit without parsing it. */
  function rejectOverLimit(request: Request, modal: ModalChance, admission: Admission): Accepted {
    const stored = write(request, false, admission);
    const view = { ...notice('warning', tooMuchWords), reason: 'rate_limited' } as const;
    if (request.ask.kind === 'submit')
      return {
        acknowledge: 'with-answer',
        stored,
        run: async () => ({ kind: 'errors', errors: { '': tooMuchWords } }),
      };
    if (modal === 'wanted') return { acknowledge: 'with-form', stored, run: async () => ({ view }) };
    const say = () => messenger.postEphemeral(request.place, request.actor, view);
    const run = () =>
      track(say().catch((error) => log.error({ err: error }, 'could not notify a person about the rate limit')));
    return { acknowledge: 'now', stored, run: admission === 'no_first' ? run : async () => {} };
  }

  /** A bot that falls behind gets no more work from people who repeat their lines. */
  async function read(request: Request, typed: TypedLine | undefined): Promise<void> {
    const { actor, place, ask } = request;
    const key = JSON.stringify([
      actor,
      place.channel,
      place.thread,
      ask.kind === 'line' && place.call === undefined ? ask.line : request.id,
    ]);
    const since = reading.get(key);
    if (since !== undefined && elapsed() - since >= repeatedAfterMs) return;
    reading.set(key, since ?? elapsed());
    await begin(request, typed, false).finally(() => since ?? reading.delete(key));
  }

  async function submit(request: Request): Promise<SubmitAnswer> {
    underWay.add(request.id);
    try {
      return await work.submit(request);
    } catch (error) {
      return { kind: 'errors', errors: { '': plain(errorView(error, 'The form', log).summary) } };
    } finally {
      aside(track(done(request)), log, 'marking a form done');
    }
  }

  function acceptAdmitted(received: Request, modal: ModalChance): Accepted {
    const request = withoutPrivateKeys(received);
    const typed = typedLineOf(context, request);
    const acknowledgement = acknowledgementOf(request, typed);
    const isForm = modal === 'wanted' || (modal === 'possible' && acknowledgement === 'form');
    const stored = write(request, acknowledgement === 'change' && !isForm, 'yes');
    if (isForm) return { acknowledge: 'with-form', stored, run: () => work.form(request, typed) };
    if (request.ask.kind === 'submit') return { acknowledge: 'with-answer', stored, run: () => track(submit(request)) };
    if (acknowledgement === 'read') return { acknowledge: 'now', stored, run: () => read(request, typed) };
    return { acknowledge: 'when-stored', stored, run: () => begin(request, typed, false) };
  }

  return {
    accept: (received: Request, modal: ModalChance = 'impossible'): Accepted => {
      const admission = limit.admit(limited(received));
      return admission === 'yes' ? acceptAdmitted(received, modal) : rejectOverLimit(received, modal, admission);
    },
    /** Resumes requests that an ended process left unfinished. */
    resume: async () => {
      await renew();
      await catchUp();
      for (const row of await leftBehind()) {
        const until = elapsed() + claimMs;
        if (!(await store.inbox.claimAgain(row.key, context.owner, claimMs))) continue;
        const { request, outline, seed } = readStored(row);
        if (request === undefined) await notifyUnreadable(context, row.key, outline);
        else if (now() - row.receivedAt > staleAfterMs) await notifyStale(context, request);
        else if (row.begun >= mostBegun) await notifyNeverFinished(context, request, row.begun);
        else {
          unfinished.set(row.key, until);
          // Not awaited: a request that hangs must not block the others or the start.
          aside(begin(request, typedLineOf(context, request), true), log, 'resuming a request');
          continue;
        }
        await endCutOff(context, seed);
        await store.inbox.finish(row.key);
      }
    },
    /** Resolves when no request is being worked on. */
    drain: async () => {
      while (working.size > 0) await Promise.allSettled(working);
    },
  };
}
