import type { SimulatedProvider } from '../provider/server.ts';
import type { ProviderChange as HostingChange } from '../provider/types.ts';
import { appCommand } from '../slack/seed.ts';
import type { SimulatedSlack } from '../slack/server.ts';
import type { SlackChange } from '../slack/workspace.ts';
import type { Viewer } from './draw.ts';
import type { Drill } from './drill.ts';
import { deliveryEntries, deliveryEntry, hostingEntries, requestEntries, requestEntry } from './hosting.ts';
import type { createMachine } from './machine.ts';
import { noiseEntries } from './noise.ts';
import type { BotFacts } from './situations.ts';
import type { Switches } from './switches.ts';
import {
  channelEntries,
  messageEntries,
  messageEntry,
  type PageEntry,
  peopleEntries,
  type ReadMarks,
  viewEntries,
} from './workspace.ts';

/** The parts of the page: how each is read, and which changes affect it. */

export interface PageContext {
  readonly slack: SimulatedSlack;
  readonly provider: SimulatedProvider;
  readonly switches: () => Switches;
  readonly machine: ReturnType<typeof createMachine>;
  readonly drill: () => Drill;
  readonly marks: ReadMarks;
  /** The account and the time of a copy. */
  readonly copied: { readonly of: string; readonly atMs: number } | undefined;
  readonly nowMs: () => number;
  /** Undefined until the bot has started. */
  readonly bot: () => BotFacts | undefined;
}

export const allParts = [
  'people',
  'channels',
  'messages',
  'views',
  'hosting',
  'requests',
  'deliveries',
  'switches',
  'drill',
  'noise',
  'app',
] as const;
export type PagePart = (typeof allParts)[number];

/** Parts with many entries: an entry is sent only when a change names it. */
export const byOne = { messages: 'message/', requests: 'request/', deliveries: 'delivery/' } as const;
export const isByOne = (part: PagePart): part is keyof typeof byOne => part in byOne;

/** The app's command and shortcuts, according to its manifest. */
const command = {
  name: appCommand,
  hint: 'list | status web-1 | restart web-1 | dns list example.com | help',
  description: 'Manage the hosting account',
};
const shortcuts = {
  global: [{ id: 'hostler_ask', name: 'Ask Hostler' }],
  message: [{ id: 'hostler_about', name: 'Act on this' }],
};

type Reader = (scene: PageContext, viewer: Viewer) => Iterable<PageEntry>;

const readers: Record<PagePart, Reader> = {
  people: (_scene, viewer) => peopleEntries(viewer),
  channels: ({ marks }, viewer) => channelEntries(viewer, marks),
  messages: (_scene, viewer) => messageEntries(viewer),
  views: (_scene, viewer) => viewEntries(viewer),
  hosting: ({ provider }) => hostingEntries(provider),
  requests: ({ provider }) => requestEntries(provider),
  deliveries: ({ slack }) => deliveryEntries(slack),
  switches: ({ switches }) => [['switches', switches().list()]],
  drill: ({ drill }) => [['drill', drill().shown()]],
  noise: ({ slack, marks }) => noiseEntries(slack.sim.state(), marks),
  app: ({ slack, machine, copied }) => [
    ...(copied === undefined ? [] : [['copied', copied] as const]),
    ['command', command],
    ['shortcuts', shortcuts],
    ['bot', { connections: slack.sim.connections() }],
    ['machine', machine.shown()],
  ],
};

export const entriesOf = (part: PagePart, scene: PageContext, viewer: Viewer): Iterable<PageEntry> =>
  readers[part](scene, viewer);

/** A single entry; undefined if it is gone or not visible to this person. */
export function entryOf(key: string, { slack, provider }: PageContext, viewer: Viewer): unknown {
  const id = key.slice(key.indexOf('/') + 1);
  if (key.startsWith(byOne.messages)) return messageEntry(id, viewer);
  return key.startsWith(byOne.requests) ? requestEntry(provider, Number(id)) : deliveryEntry(slack, id);
}

export interface Concerned {
  readonly parts: readonly PagePart[];
  /** The changed entry, for parts whose entries are sent one by one. */
  readonly key?: string;
}

const slackParts: Partial<Record<SlackChange['kind'], readonly PagePart[]>> = {
  message: ['noise'],
  ephemeral: ['noise'],
  modal: ['views'],
  home: ['views'],
  person: ['people', 'channels', 'messages'],
  group: ['people', 'messages'],
  channel: ['channels', 'messages', 'noise'],
};

export function concernedBySlack({ kind, id, ts }: SlackChange): Concerned {
  if (ts !== undefined) return { parts: slackParts[kind] ?? [], key: `${byOne.messages}${ts}` };
  if (kind === 'delivery') return { parts: [], key: `${byOne.deliveries}${id}` };
  return { parts: slackParts[kind] ?? [] };
}

const hostingParts: Partial<Record<HostingChange['what'], readonly PagePart[]>> = {
  faults: ['switches'],
  all: ['hosting', 'requests', 'switches'],
};

export function concernedByHosting({ what, id }: HostingChange): Concerned {
  if (what === 'request') return { parts: [], key: `${byOne.requests}${id}` };
  return { parts: hostingParts[what] ?? ['hosting'] };
}
