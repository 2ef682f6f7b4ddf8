import { randomUUID } from 'node:crypto';
import { createInTurn } from '../core/in-turn.ts';
import { creationWebhook } from './alerts/created.ts';
import type { HookAnswer, HookRequest } from './alerts/http.ts';
import { receiveHook } from './alerts/receive.ts';
import { createSubscriptions } from './alerts/subscriptions.ts';
import { lookNow, sweepAlerts } from './alerts/sweep.ts';
import { createSweeps } from './alerts/sweeps.ts';
import { createTeller } from './alerts/tell.ts';
import { createBotReader, createBotWriter } from './bot.ts';
import { type Carrier, createCarrier, type openRuns } from './carrier.ts';
import { footingOf } from './decide.ts';
import type { EngineDeps } from './deps.ts';
import { createDoor } from './door.ts';
import { formFor, sessionOf } from './forms.ts';
import { handlers } from './handle.ts';
import { home } from './home.ts';
import { domainsOf, type Kit } from './kit.ts';
import { createMessages } from './messages.ts';
import { createPolicies } from './policies.ts';
import type { Engine, Outbox } from './ports.ts';
import { readOperation } from './records.ts';
import type { Place, Request } from './request.ts';
import { errorView, notice } from './say.ts';
import { submit } from './submit.ts';
import { suggest } from './suggest.ts';
import { createSweep } from './sweep.ts';
import { urgencyOf } from './urgency.ts';
import { createWatcher, type Watcher } from './watch.ts';

export interface RunningEngine {
  readonly engine: Engine;
  readonly outbox: Outbox;
  readonly start: () => Promise<void>;
  /** Takes nothing new, finishes what is under way, and leaves the rest in its rows. */
  readonly stop: () => Promise<void>;
  readonly watching: () => number;
  /** Lets an operation look at the clock again. */
  readonly wake: (operation: string) => void;
  /** One round of what runs on a timer, for those who hold the clock. */
  readonly sweep: () => Promise<void>;
  /** The alert sweep of this moment's interval, to its end; made once, whoever asks. */
  readonly sweepAlerts: () => Promise<void>;
  /** What monitoring or the provider posts to `/hooks/…`. */
  readonly receiveHook: (request: HookRequest) => Promise<HookAnswer>;
}

export interface EngineOptions {
  readonly runs: Awaited<ReturnType<typeof openRuns>>;
  /** 1 in life; tests let watching and telling go faster. */
  readonly pace?: number;
  readonly concurrency?: number;
}

/** Wires the rooms of the engine by hand. */
export function createEngine(deps: EngineDeps, { runs, pace = 1, concurrency = 16 }: EngineOptions): RunningEngine {
  const owner = randomUUID();
  const policies = createPolicies(deps.store, deps.directory);
  const messages = createMessages(deps.store, { owner, now: deps.now, onUndeliverable });
  const teller = createTeller(() => kit, { pace });
  let carrier: Carrier | undefined;
  const kit: Kit = {
    deps,
    policies,
    messages,
    alerts: {
      rules: deps.alerts,
      subscriptions: createSubscriptions(deps.store),
      tell: teller.tell,
      tellSoon: teller.tellSoon,
      inTurn: createInTurn(),
      look: (rule) => lookNow(kit, rule),
    },
    owner,
    audit: async ({ kind, actor, channel, operation, text, data, isRead, unlessThere }) => {
      await deps.store.audit.append({
        kind,
        data: { text, ...data },
        ...(actor === undefined ? {} : { actor }),
        ...(channel === undefined ? {} : { channel }),
        ...(operation === undefined ? {} : { operationId: operation }),
        ...(isRead === undefined ? {} : { isRead }),
        ...(unlessThere === undefined ? {} : { unlessThere }),
      });
    },
    footing: (user, channel, maxAgeMs) => footingOf(user, channel, { policies, deps }, maxAgeMs),
    readContext: async (asking, footing) => ({
      ...asking,
      reader: deps.reader,
      world: () => deps.world.read(),
      bot: createBotReader(kit, asking, footing),
      now: deps.now(),
      file: (id) => deps.directory.file(id),
      may: footing.may,
      timeZone: await deps.directory.person(asking.actor).then(
        (person) => person.timeZone,
        () => 'UTC',
      ),
    }),
    writeContext: (asking, operation) => ({
      ...asking,
      provider: deps.provider,
      bot: createBotWriter(kit, asking),
      operation,
      now: deps.now(),
      file: (id) => deps.directory.file(id),
      creationWebhook: creationWebhook(kit, operation),
    }),
    wake: (operation) => carrier?.wake(operation),
    carry: async (operation) => carrier?.carry(operation),
  };
  const watcher: Watcher = createWatcher(kit, { pace });
  carrier = createCarrier(kit, () => watcher, runs, { concurrency, sweep: (slot) => sweepAlerts(kit, slot) });
  const sweeps = createSweeps(kit, carrier.sweep);

  async function onUndeliverable(key: string, why: string): Promise<void> {
    const operation = /^(?:card|end|lost|void):([^:]+)/.exec(key)?.[1];
    const row = operation === undefined ? undefined : await deps.store.operations.find(operation);
    deps.log.warn({ message: key, why }, 'a message cannot be delivered');
    // A card that nobody can see any more is no reason not to tell how it ended.
    if (row === undefined || key.startsWith('card:')) return;
    const { plan } = readOperation(row);
    const text = `${plan.title} (${row.id}): ${row.endText ?? row.state}. I could not say this where it was asked (${why}).`;
    await messages.put({ key: `dm:${key}`, channel: row.requester, view: notice('info', text) });
    if (deps.settings.auditChannel)
      await messages.put({ key: `audit:${key}`, channel: deps.settings.auditChannel, view: notice('info', text) });
  }

  /** What is asked inside a modal or at Home belongs to the channel it was opened from. */
  async function placeOf(request: Request): Promise<Place> {
    const { place } = request;
    if (place.kind === 'modal' && place.form !== undefined)
      return (await sessionOf(kit, place.form, request.actor))?.place ?? place;
    if (place.kind === 'home' && request.ask.kind === 'intent' && request.ask.intent.do === 'vote') {
      const row = await deps.store.operations.find(request.ask.intent.operation);
      return row === undefined ? place : { channel: row.channel, kind: 'channel' };
    }
    return place;
  }

  const door = createDoor(kit, {
    work: async (request, isAgain) => {
      const place = await placeOf(request);
      if (request.ask.kind === 'submit') {
        // Whoever submits it is answered by `submit` below; here it is taken up again.
        const answer = await submit(kit, request, { isAgain: true, goesOn: () => {} });
        if (answer.kind === 'errors')
          await deps.desk.whisper(place, request.actor, notice('warning', Object.values(answer.errors).join(' ')));
        return;
      }
      await handlers[request.ask.kind](kit, request, place, isAgain);
    },
  });
  const sweep = createSweep(kit, { resume: door.resume, watch: watcher.arm, revive: carrier.revive });

  const engine: Engine = {
    urgency: (request) => urgencyOf(deps.commands, domainsOf(kit), request),
    receive: door.receive,
    handle: door.handle,
    form: async (request) => {
      const place = await placeOf(request);
      if (door.isTooMuch(request.actor)) return { view: notice('warning', door.tooMuchWords) };
      return formFor(kit, request, place);
    },
    submit: (request) =>
      door.through(
        request,
        (goesOn) => submit(kit, request, { isAgain: false, goesOn }),
        (error) => ({
          kind: 'errors',
          errors: { '': errorView(error, 'taking the form', deps.log).summary },
        }),
      ),
    dropForm: async (form, user) => {
      if (await sessionOf(kit, form, user)) await deps.store.forms.delete(form);
    },
    suggest: async (query) => {
      try {
        return await suggest(kit, query);
      } catch (error) {
        deps.log.warn({ err: error }, 'search as you type');
        return [];
      }
    },
    home: (actor) => home(kit, actor),
    changed: async ({ id, change }) => {
      await kit.audit({ kind: 'channel', channel: id, text: `the channel: ${change.replaceAll('_', ' ')}` });
      // Alerts that could not be told there may be now.
      kit.alerts.tellSoon(id);
    },
  };

  return {
    engine,
    outbox: messages.outbox,
    start: async () => {
      await carrier.start();
      await sweep.once();
      sweep.start();
      sweeps.start();
    },
    stop: async () => {
      sweep.stop();
      sweeps.stop();
      await teller.stop();
      await door.drain();
      await watcher.stop();
      await carrier.stop();
    },
    watching: watcher.count,
    wake: kit.wake,
    sweep: sweep.once,
    sweepAlerts: sweeps.now,
    receiveHook: (request) => receiveHook(kit, request),
  };
}
