import { createHmac } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import { test as base, onTestFinished } from 'vitest';
import { type SimulatedSlack, type SlackOptions, startSlack } from '../../sandbox/slack/server.ts';
import type { Form } from '../../src/core/view/form.ts';
import { refreshButton, says, type View } from '../../src/core/view/view.ts';
import type { Log } from '../../src/engine/context/dependencies.ts';
import type { Outbox, OutboxMessage } from '../../src/engine/context/outbox.ts';
import type {
  Accepted,
  ChannelChange,
  Engine,
  FormAnswer,
  Invitation,
  SubmitAnswer,
} from '../../src/engine/context/ports.ts';
import type { Request } from '../../src/engine/context/request.ts';
import type { HttpRoute } from '../../src/http/server.ts';
import { openSlack, type SlackConnection, type SlackHooks, type SlackSide } from '../../src/slack/open-slack.ts';
import { listeningPort } from '../support/process/listening-port.ts';
import { patienceMs } from '../support/suite/patience.ts';

export { says };

/** The answers of a test's engine; the others are empty. */
export interface FakeAnswers extends Partial<Pick<Engine, 'suggest' | 'home'>> {
  readonly acknowledge?: (request: Request) => 'now' | 'when-stored' | 'with-form';
  readonly store?: (request: Request) => Promise<boolean>;
  readonly handle?: (request: Request) => Promise<unknown>;
  readonly form?: (request: Request) => Promise<FormAnswer>;
  readonly submit?: (request: Request) => Promise<SubmitAnswer>;
  readonly move?: () => Promise<void>;
}

/** An engine that records its requests and answers as the test says. */
export interface FakeEngine extends Engine {
  readonly received: Request[];
  readonly handled: Request[];
  readonly submitted: Request[];
  readonly dropped: { form: string; user: string }[];
  readonly changes: { id: string; change: ChannelChange }[];
  readonly invitations: (Invitation & { readonly channel: string })[];
  readonly moves: { from: string; to: string }[];
  /** Resolves when `count` requests were handled. */
  readonly handledCount: (count: number) => Promise<void>;
}

export function createFakeEngine(answers: FakeAnswers = {}): FakeEngine {
  const seen = new Set<string>();
  const store = async (request: Request) => {
    engine.received.push(request);
    const isNew = answers.store === undefined ? !seen.has(request.id) : await answers.store(request);
    seen.add(request.id);
    return isNew;
  };
  const handle = async (request: Request) => {
    await answers.handle?.(request);
    engine.handled.push(request);
  };
  const submit = async (request: Request): Promise<SubmitAnswer> => {
    engine.submitted.push(request);
    return (await answers.submit?.(request)) ?? { kind: 'accepted' };
  };
  const engine: FakeEngine = {
    received: [],
    handled: [],
    submitted: [],
    dropped: [],
    changes: [],
    invitations: [],
    moves: [],
    accept: (request, modal = 'impossible'): Accepted => {
      const stored = store(request);
      stored.catch(() => undefined);
      if (request.ask.kind === 'submit') return { acknowledge: 'with-answer', stored, run: () => submit(request) };
      const acknowledge = answers.acknowledge?.(request) ?? 'when-stored';
      if (modal === 'wanted' || (modal === 'possible' && acknowledge === 'with-form')) {
        const run = async () => (await answers.form?.(request)) ?? { view: says('nothing') };
        return { acknowledge: 'with-form', stored, run };
      }
      return { acknowledge: acknowledge === 'now' ? 'now' : 'when-stored', stored, run: () => handle(request) };
    },
    suggest: answers.suggest ?? (async () => []),
    home: answers.home ?? (async () => says('home')),
    onHomeChange: () => () => {},
    dropForm: async (form, user) => {
      engine.dropped.push({ form, user });
    },
    changed: async (what) => {
      if (what.kind === 'channel') {
        engine.changes.push({ id: what.id, change: what.change });
        if (what.invitation !== undefined) engine.invitations.push({ channel: what.id, ...what.invitation });
      } else {
        engine.moves.push({ from: what.from, to: what.to });
        await answers.move?.();
      }
    },
    handledCount: (count) => eventually(() => engine.handled.length >= count),
  };
  return engine;
}

export interface FakeOutbox extends Outbox {
  readonly put: (key: string, channel: string, view: View, threadTs?: string) => void;
  readonly row: (key: string) => Row | undefined;
  readonly dead: Map<string, string>;
  readonly postponed: { key: string; delayMs: number; why: string }[];
}

interface Row extends OutboxMessage {
  readonly delivered: number;
  readonly dueAt: number;
  readonly claimedUntil: number;
}

const unsent = { ts: null, version: 1, delivered: 0, attempts: 0, dueAt: 0, claimedUntil: 0 };

/** Rows in memory, under the contract of the outbox. */
export function createFakeOutbox(): FakeOutbox {
  const rows = new Map<string, Row>();
  const listeners = new Set<() => void>();
  const dead = new Map<string, string>();
  const postponed: { key: string; delayMs: number; why: string }[] = [];
  const nudge = () => {
    for (const listener of listeners) listener();
  };
  const isOpen = (row: Row) => row.delivered < row.version && !dead.has(row.key);
  return {
    claimMs: 30_000,
    dead,
    postponed,
    row: (key) => rows.get(key),
    put: (key, channel, view, threadTs) => {
      const known = rows.get(key);
      if (known === undefined) rows.set(key, { key, channel, view, threadTs: threadTs ?? null, ...unsent });
      else Object.assign(known, { view, version: known.version + 1 });
      nudge();
    },
    claim: async (limit, except = []) => {
      const now = Date.now();
      const closed = new Set(except);
      const claimed: OutboxMessage[] = [];
      // New ones first, as in the store.
      const inOrder = [...rows.values()].toSorted((a, b) => Number(a.ts !== null) - Number(b.ts !== null));
      for (const row of inOrder) {
        if (claimed.length === limit || !isOpen(row) || row.claimedUntil > now) continue;
        // A message that is not in Slack yet and has to wait also delays those behind it, as in the store.
        if (row.dueAt > now) {
          if (row.ts === null) closed.add(row.channel);
          continue;
        }
        if (row.ts === null && closed.has(row.channel)) continue;
        Object.assign(row, { claimedUntil: now + 30_000 });
        claimed.push({ ...row });
      }
      return claimed;
    },
    delivered: async (key, version, ts, isAtRoot = false) => {
      const root = isAtRoot ? { threadTs: null } : {};
      Object.assign(rows.get(key) ?? {}, { delivered: version, ts, attempts: 0, claimedUntil: 0, ...root });
      nudge();
      return true;
    },
    postpone: async (key, delayMs, why) => {
      postponed.push({ key, delayMs, why });
      const row = rows.get(key);
      if (row !== undefined)
        Object.assign(row, { dueAt: Date.now() + delayMs, attempts: row.attempts + 1, claimedUntil: 0 });
    },
    undeliverable: async (key, why) => {
      dead.set(key, why);
      Object.assign(rows.get(key) ?? {}, { claimedUntil: 0 });
    },
    onNudge: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    nextDueInMs: async () => {
      const due = [...rows.values()].filter(isOpen).map((row) => Math.max(row.dueAt, row.claimedUntil));
      return due.length === 0 ? undefined : Math.min(...due) - Date.now();
    },
  };
}

/** Puts a message and waits until Slack has it as it is now. */
export async function delivered(outbox: FakeOutbox, ...message: Parameters<FakeOutbox['put']>): Promise<void> {
  outbox.put(...message);
  const row = outbox.row(message[0]);
  const version = row?.version ?? 0;
  await eventually(() => (row?.delivered ?? 0) >= version);
}

/** An engine that answers a line with "old" and a button to refresh it, to its person alone, and a click as `answer` says. */
export const refreshing = (answer: (messenger: SlackSide['messenger'], request: Request) => Promise<unknown>) => ({
  engine: ({ messenger }: SlackSide): FakeAnswers => ({
    acknowledge: () => 'now',
    handle: async (request) =>
      request.ask.kind === 'line'
        ? messenger.postEphemeral(request.place, request.actor, says('old', [refreshButton('list')]))
        : answer(messenger, request),
  }),
});

/** Waits for a private message to the person that has these words. */
export const whispered = ({ sim }: SimulatedSlack, person: string, words: string) =>
  sim.waitFor(() => sim.ephemerals(person).find((message) => sim.plainText(message).includes(words)));

/** A card with a button to confirm it. */
export const confirmCard = {
  summary: 'Restart web-1',
  parts: [
    { kind: 'buttons', buttons: [{ label: 'Confirm', intent: { do: 'vote', operation: 'a7f3c2', vote: 'confirm' } }] },
  ],
} as const;

export const emptyForm: Form = { title: 'Form', submit: 'Send', id: 'form-1', notes: [], fields: [] };

export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: object;
  readonly text: string;
}

export function createFakeLog(): Log & { readonly lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write = (level: LogLine['level']) => (fields: object, text: string) => {
    lines.push({ level, fields, text });
  };
  return { lines, debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

export interface Bench {
  readonly slack: SimulatedSlack;
  readonly side: SlackSide;
  readonly connection: SlackConnection;
  readonly engine: FakeEngine;
  readonly outbox: FakeOutbox;
  readonly log: ReturnType<typeof createFakeLog>;
}

/** The Slack side, connected to a simulated Slack over the wire; both end with the test. */
export async function connected({
  mode = 'socket',
  slack: options = {},
  routes = [],
  hooks = {},
  engine: answers,
  now,
  atEnd = onTestFinished,
}: {
  mode?: 'socket' | 'http';
  slack?: SlackOptions;
  routes?: readonly HttpRoute[];
  hooks?: SlackHooks;
  /** The answers of the engine, which may use the messenger after the connection. */
  engine?: (side: SlackSide) => FakeAnswers;
  now?: () => number;
  /** Of tests that run at the same time each has its own. */
  atEnd?: (close: () => Promise<void>) => void;
} = {}): Promise<Bench> {
  const slack = await startSlack(options);
  atEnd(() => slack.close());
  const log = createFakeLog();
  const { botToken, apiUrl, appToken, signingSecret } = slack;
  const side = await openSlack(
    { botToken, apiUrl, port: 0, ...(mode === 'socket' ? { appToken } : { signingSecret }) },
    log,
    { hooks, ...(now === undefined ? {} : { now }) },
  );
  const engine = createFakeEngine(answers?.(side));
  const outbox = createFakeOutbox();
  const connection = await side.connect(engine, outbox, routes);
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await connection.stop();
    isStopped = true;
  };
  atEnd(stop);
  if (mode === 'http') slack.sim.setRequestUrl(`http://127.0.0.1:${connection.port}/slack/events`);
  else await eventually(() => connection.state().sockets?.connected === 2);
  return { slack, side, connection: { ...connection, stop }, engine, outbox, log };
}

/** Tests that begin with a connection in Socket Mode. */
export const test = base
  .extend('opened', () => connected())
  .extend('slack', ({ opened }) => opened.slack)
  .extend('side', ({ opened }) => opened.side)
  .extend('connection', ({ opened }) => opened.connection)
  .extend('engine', ({ opened }) => opened.engine)
  .extend('outbox', ({ opened }) => opened.outbox)
  .extend('log', ({ opened }) => opened.log);

/** For changes without an event, such as the number of open sockets or the lines of the log. */
export async function eventually(isSo: () => boolean, withinMs = patienceMs): Promise<void> {
  const until = performance.now() + withinMs;
  while (!isSo()) {
    if (performance.now() > until) throw new Error(`waited ${withinMs} ms for ${isSo.toString()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A request as Slack signs it. */
export function signed(
  body: string,
  secret: string,
  { at = Math.floor(Date.now() / 1_000), type = 'x-www-form-urlencoded' }: { at?: number; type?: string } = {},
) {
  const mac = createHmac('sha256', secret).update(`v0:${at}:${body}`).digest('hex');
  return {
    method: 'POST',
    body,
    headers: {
      'content-type': `application/${type}`,
      'x-slack-request-timestamp': String(at),
      'x-slack-signature': `v0=${mac}`,
    },
  };
}

/** The address of an HTTP server that ends with the test. */
export async function listening(handler: RequestListener): Promise<string> {
  return `http://127.0.0.1:${await listeningPort(createServer(handler))}`;
}
