import type { ServerResponse } from 'node:http';
import type { SimulatedProvider } from '../provider/server.ts';
import type { Change as HostingChange } from '../provider/world.ts';
import type { SimulatedSlack } from '../slack/server.ts';
import type { Change as SlackChange } from '../slack/world.ts';
import type { Viewer } from './draw.ts';
import { deliveryEntries, deliveryEntry, hostingEntries, requestEntries, requestEntry } from './hosting.ts';
import type { Switches } from './switches.ts';
import {
  channelEntries,
  type Entry,
  messageEntries,
  messageEntry,
  peopleEntries,
  type ReadMarks,
  viewEntries,
} from './workspace.ts';

/**
 * The stream of one open page: at first everything its person sees, then only what changed. Entries have a name and a
 * value; the names before the slash are parts. Small parts are compared with what was sent; messages, requests and
 * deliveries are many, so they are sent one by one when something says they changed.
 */

export interface Command {
  readonly path: string;
  readonly usage: string;
  readonly summary: string;
}

export interface Scene {
  readonly slack: SimulatedSlack;
  readonly provider: SimulatedProvider;
  readonly switches: () => Switches;
  readonly marks: ReadMarks;
  readonly commands: () => readonly Command[];
  readonly nowMs: () => number;
}

type Part = 'people' | 'channels' | 'messages' | 'views' | 'hosting' | 'requests' | 'deliveries' | 'switches' | 'app';

interface Page {
  readonly response: ServerResponse;
  readonly person: string;
  readonly sent: Map<Part, Map<string, string>>;
}

const byOne = { messages: 'message/', requests: 'request/', deliveries: 'delivery/' } as const;
const isByOne = (part: Part): part is keyof typeof byOne => part in byOne;
const every: readonly Part[] = [
  'people',
  'channels',
  'messages',
  'views',
  'hosting',
  'requests',
  'deliveries',
  'switches',
  'app',
];

const gatherMs = 15;
const beatMs = 15_000;
const lookMs = 1_000;

/** What the app offers outside of messages, as its manifest says. */
const shortcuts = {
  global: [{ id: 'hostler_ask', name: 'Ask Hostler' }],
  message: [{ id: 'hostler_about', name: 'Act on this' }],
};

export interface Live {
  open(response: ServerResponse, person: string): void;
  touch(part: Part): void;
  /** Every page loads again. */
  reload(): void;
  close(): void;
}

export function createLive(scene: Scene): Live {
  const { slack, provider } = scene;
  const pages = new Set<Page>();
  const dirtyParts = new Set<Part>();
  const dirtyKeys = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let connections = slack.sim.connections();

  function viewerOf({ person: id }: Page): Viewer | undefined {
    const state = slack.sim.state();
    const person = state.people.find((one) => one.id === id);
    return person === undefined ? undefined : { state, person, nowMs: scene.nowMs() };
  }

  const parts: Record<Part, (viewer: Viewer) => Iterable<Entry>> = {
    people: peopleEntries,
    channels: (viewer) => channelEntries(viewer, scene.marks),
    messages: messageEntries,
    views: viewEntries,
    hosting: () => hostingEntries(provider),
    requests: () => requestEntries(provider),
    deliveries: () => deliveryEntries(slack),
    switches: () => [['switches', scene.switches().list()]],
    app: () => [
      ['commands', scene.commands()],
      ['shortcuts', shortcuts],
      ['bot', { connections }],
    ],
  };

  function one(key: string, viewer: Viewer): unknown {
    const at = key.indexOf('/');
    const id = key.slice(at + 1);
    if (key.startsWith(byOne.messages)) return messageEntry(id, viewer);
    return key.startsWith(byOne.requests) ? requestEntry(provider, Number(id)) : deliveryEntry(slack, id);
  }

  function send(page: Page, partsNow: Iterable<Part>, keys: Iterable<string>): void {
    const viewer = viewerOf(page);
    if (viewer === undefined) return;
    const set: Entry[] = [];
    const drop: string[] = [];
    const clear: string[] = [];
    for (const part of partsNow) {
      const entries = parts[part](viewer);
      if (isByOne(part)) {
        clear.push(byOne[part]);
        set.push(...entries);
        continue;
      }
      const before = page.sent.get(part) ?? new Map<string, string>();
      const after = new Map<string, string>();
      for (const [key, value] of entries) {
        const written = JSON.stringify(value) ?? 'null';
        after.set(key, written);
        if (before.get(key) !== written) set.push([key, value]);
      }
      drop.push(...[...before.keys()].filter((key) => !after.has(key)));
      page.sent.set(part, after);
    }
    const isSet = new Set(set.map(([key]) => key));
    for (const key of keys) {
      if (isSet.has(key)) continue;
      const value = one(key, viewer);
      if (value === undefined) drop.push(key);
      else set.push([key, value]);
    }
    if (set.length + drop.length + clear.length === 0) return;
    page.response.write(`data: ${JSON.stringify({ clear, drop, set, nowMs: scene.nowMs() })}\n\n`);
  }

  function flush(): void {
    timer = undefined;
    const [partsNow, keys] = [[...dirtyParts], [...dirtyKeys]];
    dirtyParts.clear();
    dirtyKeys.clear();
    for (const page of pages) send(page, partsNow, keys);
  }

  function soon(): void {
    if (pages.size > 0) timer ??= setTimeout(flush, gatherMs);
  }

  function touch(...touched: Part[]): void {
    for (const part of touched) dirtyParts.add(part);
    soon();
  }

  const slackParts: Partial<Record<SlackChange['kind'], readonly Part[]>> = {
    modal: ['views'],
    home: ['views'],
    person: ['people', 'channels', 'messages'],
    group: ['people', 'messages'],
    channel: ['channels', 'messages'],
  };
  const hostingParts: Partial<Record<HostingChange['what'], readonly Part[]>> = {
    faults: ['switches'],
    all: ['hosting', 'requests', 'switches'],
  };

  const stops = [
    slack.sim.onChange(({ kind, id, ts }) => {
      if (ts !== undefined) dirtyKeys.add(`${byOne.messages}${ts}`);
      else if (kind === 'delivery') dirtyKeys.add(`${byOne.deliveries}${id}`);
      touch(...(ts === undefined ? (slackParts[kind] ?? []) : []));
    }),
    provider.sim.onChange(({ what, id }) => {
      if (what === 'request') dirtyKeys.add(`${byOne.requests}${id}`);
      touch(...(what === 'request' ? [] : (hostingParts[what] ?? ['hosting'])));
    }),
  ];
  // Sockets come and go without a word from the simulation.
  const look = setInterval(() => {
    if (slack.sim.connections() === connections) return;
    connections = slack.sim.connections();
    touch('app');
  }, lookMs).unref();
  const beat = setInterval(() => {
    for (const page of pages) page.response.write(': still here\n\n');
  }, beatMs).unref();

  return {
    touch,
    open(response, person) {
      const page: Page = { response, person, sent: new Map() };
      connections = slack.sim.connections();
      slack.sim.openDm(person);
      pages.add(page);
      response.on('close', () => pages.delete(page));
      send(page, every, []);
    },
    reload() {
      for (const page of pages) page.response.write('event: reload\ndata: {}\n\n');
    },
    close() {
      clearInterval(look);
      clearInterval(beat);
      clearTimeout(timer);
      for (const stop of stops) stop();
      for (const page of pages) page.response.end();
      pages.clear();
    },
  };
}
