import { randomUUID } from 'node:crypto';
import { createForwardClock } from '../core/async/forward-clock.ts';
import { createKeyedQueue } from '../core/async/keyed-queue.ts';
import { createRateLimit } from '../core/async/rate-limit.ts';
import { defined } from '../core/text/defined.ts';
import { notice } from '../core/view/view.ts';
import { accessOf, slackDidNotSay } from './access/access.ts';
import { offerAccess } from './access/ask-access.ts';
import { moveChannel } from './access/moved-channel.ts';
import { createPolicies } from './access/policies.ts';
import { noteAttempt } from './alerts/attempts.ts';
import { lastLooks } from './alerts/blind-rules.ts';
import { createPublisher } from './alerts/publish.ts';
import { checkRuleNow, createAlertSchedule } from './alerts/sweep.ts';
import { createBotReader, createBotWriter } from './command/bot-context.ts';
import type { EngineDeps } from './context/dependencies.ts';
import { type EngineContext, timeZoneOf } from './context/engine-context.ts';
import { errorView } from './context/error-view.ts';
import { sessionOf } from './context/form-session.ts';
import { createOutbox } from './context/outbox.ts';
import type { Engine } from './context/ports.ts';
import type { Place, Request } from './context/request.ts';
import { formFor } from './form/open-form.ts';
import { submit } from './form/submit-form.ts';
import { createKnownCurrency } from './home/home-reads.ts';
import { createUsedMost, menu } from './home/menu.ts';
import { createOpenHomes } from './home/open-homes.ts';
import { createOwnSettings } from './home/own-settings.ts';
import { suggest } from './home/search-options.ts';
import { createCalls } from './hooks/calls.ts';
import { creationWebhook } from './hooks/creation-webhook.ts';
import { createDoor } from './hooks/door.ts';
import { createEventHooks } from './hooks/events.ts';
import { createEventPosting } from './hooks/post-events.ts';
import { createCallReceiver } from './hooks/receive-call.ts';
import { createHookReceiver } from './hooks/receive-webhook.ts';
import { handlers } from './intake/dispatch.ts';
import { createIntake } from './intake/intake.ts';
import { createRecovery } from './intake/recovery.ts';
import { endSentenceOf } from './operation/ends.ts';
import { appendEntry } from './operation/entry-of.ts';
import { findOperation } from './operation/read-operation.ts';
import { createRunner, type Runner } from './run/runner.ts';

const looksPerRequest = 10;

export type RunningEngine = ReturnType<typeof createEngine>;

interface EngineOptions {
  /** 1 in production; tests speed up watching and publishing. */
  readonly timeScale?: number;
  readonly concurrency?: number;
  /** Called when a newer version has changed the schema: this process must end. */
  readonly onOutdated?: () => void;
}

/** Wires the rooms of the engine by hand. */
export function createEngine(
  deps: EngineDeps,
  { timeScale = 1, concurrency, onOutdated = () => {} }: EngineOptions = {},
) {
  const owner = randomUUID();
  const policies = createPolicies(deps.store, deps.directory);
  const events = createEventHooks(deps);
  const homes = createOpenHomes(() => context);
  const messages = createOutbox(deps.store, {
    owner,
    onUndeliverable,
    onChange: homes.note,
    eventsOf: events.ofRequest,
  });
  const publisher = createPublisher(() => context, timeScale);
  let runner: Runner | undefined;
  const elapsed = createForwardClock(deps.now);
  const calls = createCalls(deps.messenger);
  const context: EngineContext = {
    ...deps,
    messenger: calls.messenger,
    policies,
    outbox: messages,
    alerts: {
      publish: publisher.publish,
      publishSoon: publisher.publishSoon,
      oneAtATime: createKeyedQueue(),
      attempted: (operation) => noteAttempt(context, operation),
      checkNow: (rule) => checkRuleNow(context, rule),
    },
    eventsOf: events.ofAlerts,
    currency: createKnownCurrency({ ...deps, elapsed }),
    elapsed,
    owner,
    audit: (entry) => appendEntry(deps, entry),
    accessOf: (...asked) => accessOf({ ...deps, policies }, ...asked),
    usedMost: createUsedMost(() => context),
    menu: (access, place) => menu(context, access, place),
    lastRead: homes.lastRead,
    ownSettings: (user) => createOwnSettings(context, user, () => homes.refresh(user)),
    readContext: async (asking, access) => ({
      ...asking,
      reader: deps.reader,
      account: () => deps.accountReader.read(),
      currency: context.currency,
      bot: createBotReader(context, asking, access),
      now: deps.now(),
      file: (id) => deps.directory.file(id, asking.actor),
      may: access.may,
      timeZone: await timeZoneOf(deps, asking.actor),
    }),
    writeContext: (asking, operation) => ({
      ...asking,
      provider: deps.provider,
      bot: createBotWriter(context, asking, operation),
      operation,
      now: deps.now(),
      file: (id) => deps.directory.file(id, asking.actor),
      creationWebhook: creationWebhook(context, operation),
    }),
    wake: (operation) => runner?.wake(operation),
  };
  const turns = createRunner(context, { concurrency, timeScale });
  runner = turns;
  /** Limits searches and openings of Home, which read provider and database. Fast typing stays far below the limit. */
  const { admit: mayLook } = createRateLimit(deps.settings.requestsPerMinute * looksPerRequest, context.elapsed);
  const sweeps = createAlertSchedule(context);
  const eventPosting = createEventPosting(context, events);

  async function onUndeliverable(key: string, why: string): Promise<void> {
    deps.log.warn({ message: key, why }, 'a message cannot be delivered');
    // An undeliverable card needs no message, since the end of its request gets a separate one.
    const [, id = ''] = /^(?:end|gone|lost|outside|void):([^:]+)/.exec(key) ?? [];
    const operation = await findOperation(deps, id);
    if (operation === undefined) return;
    const text = `${endSentenceOf(operation)} This could not be posted where it was requested (${why}).`;
    await messages.put({ key: `dm:${key}`, channel: operation.requester, view: notice('info', text) });
    if (deps.settings.auditChannel)
      await messages.put({ key: `audit:${key}`, channel: deps.settings.auditChannel, view: notice('info', text) });
  }

  /** The place of a request from a modal or Home is the channel that it is about. */
  async function placeOf(request: Request): Promise<Place> {
    const { place } = request;
    if (place.kind === 'modal' && place.form !== undefined)
      return (await sessionOf(context, place.form, request.actor))?.place ?? place;
    if (request.ask.kind !== 'intent') return place;
    const { intent } = request.ask;
    if (place.kind === 'home' && intent.do === 'vote') {
      const row = await deps.store.operations.find(intent.operation);
      return row === undefined ? place : { channel: row.channel, kind: 'channel' };
    }
    // The channel that a button names is not trusted: the person must be a member of it.
    if ((intent.do === 'form' || intent.do === 'ask-access') && intent.in !== undefined) {
      const isIn = await deps.directory.isInChannel(intent.in, request.actor).catch(() => undefined);
      if (isIn === undefined) throw slackDidNotSay('so it is not known whether you may use this button.');
      return isIn ? { channel: intent.in, kind: 'channel' } : place;
    }
    return place;
  }

  const intake = createIntake(context, {
    handle: async (received, details) => {
      const { ask, actor } = received;
      if (ask.kind === 'intent' && ask.intent.do === 'home') return homes.turnTo(actor, ask.intent);
      if (ask.kind === 'intent' && ask.intent.do === 'favorite') return homes.mark(actor, ask.intent);
      const { dialog, form } = received.place;
      const place = { ...(await placeOf(received)), ...defined({ dialog, form }) };
      if (ask.kind !== 'submit') return handlers[ask.kind](context, { ...received, place }, details);
      // A crash interrupted the submission, and its modal is gone.
      const answer = await submit(context, received, true);
      if (answer.kind !== 'errors') return;
      const words = notice('warning', Object.values(answer.errors).join(' '));
      await context.messenger.postEphemeral(place, actor, words);
    },
    form: async (request, typed) => {
      try {
        // The form opens on top of the dialog with the button, so its errors must not replace that dialog.
        const { dialog: _, ...place } = await placeOf(request);
        return await formFor(context, { request, place, typed });
      } catch (error) {
        return { view: errorView(error, 'Opening the form', deps.log) };
      }
    },
    submit: (request) => submit(context, request, false),
  });
  const recovery = createRecovery(context, { resume: intake.resume, onOutdated });

  const engine: Engine = {
    accept: intake.accept,
    dropForm: async (form, user) => {
      if (await sessionOf(context, form, user)) await deps.store.forms.delete(form);
    },
    suggest: async (query) => {
      try {
        if (mayLook(query.actor) !== 'yes') return [];
        return await suggest(context, query);
      } catch (error) {
        deps.log.warn({ err: error }, 'search as you type failed');
        return [];
      }
    },
    home: async (actor) =>
      mayLook(actor) === 'yes' ? homes.open(actor) : notice('warning', 'Wait a minute, then open this again.'),
    onHomeChange: homes.onChange,
    changed: async (what) => {
      if (what.kind === 'moved') return moveChannel(context, what);
      const { id, change, invitation, joined, left } = what;
      if (joined !== undefined) await policies.noteOrganization(id, joined, true);
      if (left !== undefined) await policies.noteOrganization(id, left, false);
      await context.audit({ kind: 'channel', channel: id, text: `the channel: ${change.replaceAll('_', ' ')}` });
      // Alerts that could not be posted to the channel may be possible now.
      context.alerts.publishSoon(id);
      if (invitation !== undefined) await offerAccess(context, id, invitation);
    },
  };

  return {
    engine,
    outbox: messages.outbox,
    start: async (): Promise<void> => {
      // The first recovery round detects a long absence, so it must end before turns start.
      await recovery.once();
      await events.refresh();
      await turns.start();
      recovery.start();
      sweeps.start();
      eventPosting.start();
    },
    /** Accepts no new requests and finishes the work under way; the rest stays in the database. */
    stop: async (): Promise<void> => {
      recovery.stop();
      sweeps.stop();
      await eventPosting.stop();
      await publisher.stop();
      await homes.stop();
      await intake.drain();
      await turns.stop();
    },
    watching: turns.underWay,
    /** Times in ms since each loop last made progress, which reveal a loop that hangs. */
    ages: () => ({ sweep: recovery.succeededAgoMs(), sweepEnd: recovery.endedAgoMs(), look: turns.polledAgoMs() }),
    /** Makes an operation's next turn due now. */
    wake: context.wake,
    /** Runs one recovery round, for tests that control the clock. */
    sweep: recovery.once,
    /** Posts the events that are due. */
    postEvents: eventPosting.once,
    /** Runs the alert sweep of the present interval to its end; concurrent calls share one run. */
    sweepAlerts: sweeps.now,
    /** The time of the last read of each subscribed alert rule, in ms since 1970. */
    lastLooks: () => lastLooks(context),
    /** Handles posts of monitoring or the provider to `/hooks/…`. */
    receiveHook: createHookReceiver(context),
    /** Handles calls of machines to `/api/…`. */
    receiveCall: createCallReceiver(context, createDoor(context, intake.accept, calls)),
  };
}
