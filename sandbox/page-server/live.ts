import type { ServerResponse } from 'node:http';
import type { Viewer } from './draw.ts';
import {
  allParts,
  byOne,
  type Concerned,
  concernedByHosting,
  concernedBySlack,
  entriesOf,
  entryOf,
  isByOne,
  type PageContext,
  type PagePart,
} from './parts.ts';
import type { PageEntry } from './workspace.ts';

/**
 * The stream of an open page: first everything that its person sees, then only changes. Entries have a name and a
 * value; the part is in the name before the slash. Small parts are compared with the entries already sent; messages,
 * requests and deliveries are many, so each is sent only when a change names it.
 */

interface Page {
  readonly response: ServerResponse;
  readonly person: string;
  readonly sent: Map<PagePart, Map<string, string>>;
}

const gatherMs = 15;
const beatMs = 15_000;
const lookMs = 1_000;

export interface Live {
  open(response: ServerResponse, person: string): void;
  touch(part: PagePart): void;
  /** Makes all pages reload. */
  reload(): void;
  close(): void;
}

export function createLive(scene: PageContext): Live {
  const { slack, provider } = scene;
  const pages = new Set<Page>();
  const dirtyParts = new Set<PagePart>();
  const dirtyKeys = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let connections = slack.sim.connections();

  function viewerOf({ person: id }: Page): Viewer | undefined {
    const state = slack.sim.state();
    const person = state.people.find((candidate) => candidate.id === id);
    return person === undefined ? undefined : { state, person, nowMs: scene.nowMs() };
  }

  function send(page: Page, partsNow: Iterable<PagePart>, keys: Iterable<string>): void {
    const viewer = viewerOf(page);
    if (viewer === undefined) return;
    const set: PageEntry[] = [];
    const drop: string[] = [];
    const clear: string[] = [];
    for (const part of partsNow) {
      const entries = entriesOf(part, scene, viewer);
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
      const value = entryOf(key, scene, viewer);
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

  function mark({ parts, key }: Concerned): void {
    // A page that opens later gets the whole state.
    if (pages.size === 0) return;
    for (const part of parts) dirtyParts.add(part);
    if (key !== undefined) dirtyKeys.add(key);
    timer ??= setTimeout(flush, gatherMs);
  }

  const touch = (part: PagePart): void => mark({ parts: [part] });

  const stops = [
    slack.sim.onChange((change) => mark(concernedBySlack(change))),
    provider.sim.onChange((change) => mark(concernedByHosting(change))),
  ];
  // Polls, since the simulation does not report opened and closed sockets.
  const poll = setInterval(() => {
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
      slack.sim.openDm(person);
      pages.add(page);
      response.on('close', () => pages.delete(page));
      send(page, allParts, []);
    },
    reload() {
      for (const page of pages) page.response.write('event: reload\ndata: {}\n\n');
    },
    close() {
      clearInterval(poll);
      clearInterval(beat);
      clearTimeout(timer);
      for (const stop of stops) stop();
      for (const page of pages) page.response.end();
      pages.clear();
    },
  };
}
