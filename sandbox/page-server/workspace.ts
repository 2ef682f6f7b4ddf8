import { asText, type Dict } from '../slack/dict.ts';
import type { SimChannel, SimMessage, SimPerson, SimView, SlackState } from '../slack/state.ts';
import { isStranger } from '../slack/workspace.ts';
import { draw, drawText, type Viewer } from './draw.ts';

/** A person's view of the workspace, as entries with a name and a value. */
export type PageEntry = readonly [key: string, value: unknown];

/** The last read message: by person, then by channel or thread. */
export type ReadMarks = Record<string, Record<string, string>>;

const newest = 400;

function roleOf(state: SlackState, person: SimPerson): string {
  if (person.isBot) return 'app';
  if (isStranger(state, person)) return 'from another organization';
  if (person.isRestricted || person.isUltraRestricted) return 'guest';
  const groups = state.groups
    .filter((group) => !group.isDisabled && group.members.includes(person.id))
    .map((group) => `@${group.handle}`);
  return [...(person.isAdmin ? ['admin'] : []), ...(groups.length > 0 ? [`in ${groups.join(', ')}`] : [])].join(', ');
}

export function* peopleEntries({ state, person }: Viewer): Iterable<PageEntry> {
  yield ['me', { id: person.id, tz: person.tz }];
  yield ['team', { name: state.team.name, bot: state.app.botUserId }];
  for (const member of state.people) {
    const { id, name, realName, isBot, isDeactivated } = member;
    yield [`person/${id}`, { id, name, realName, isBot, isDeactivated, role: roleOf(state, member) }];
  }
  for (const { id, handle, name } of state.groups) yield [`group/${id}`, { id, handle, name }];
}

const isIn = (channel: SimChannel, person: SimPerson): boolean => channel.members.includes(person.id);

export function* channelEntries({ state, person }: Viewer, marks: ReadMarks): Iterable<PageEntry> {
  for (const channel of state.channels.filter((candidate) => isIn(candidate, person))) {
    const { id, name, kind, isArchived, isExtShared, members } = channel;
    yield [`channel/${id}`, { id, name, kind, isArchived, isExtShared, members: [...members] }];
  }
  for (const [where, ts] of Object.entries(marks[person.id] ?? {})) yield [`read/${where}`, ts];
}

const isFor = ({ state, person }: Viewer, message: SimMessage): boolean =>
  (message.visibleTo === undefined || message.visibleTo === person.id) &&
  state.channels.some((channel) => channel.id === message.channel && isIn(channel, person));

function messageValue(message: SimMessage, viewer: Viewer): Dict {
  const { state, person } = viewer;
  const { channel, ts, user, threadTs, edited, isBroadcast, visibleTo } = message;
  return {
    channel,
    ts,
    user,
    threadTs: threadTs === ts ? undefined : threadTs,
    isEdited: edited !== undefined,
    isBroadcast,
    isPrivate: visibleTo !== undefined,
    pieces: drawText(message.text, viewer),
    blocks: draw(message.blocks, viewer),
    attachments: message.attachments.map((attachment) => ({
      color: /^#?[0-9a-f]{6}$/i.test(asText(attachment.color)) ? asText(attachment.color).replace(/^#?/, '#') : '',
      blocks: draw(attachment.blocks ?? [], viewer),
      pieces: [attachment.pretext, attachment.title, attachment.text]
        .map(asText)
        .filter((text) => text !== '')
        .map((text) => drawText(text, viewer)),
    })),
    files: state.files
      .filter((file) => message.files.includes(file.id))
      .map(({ id, name, title, altText, mimetype, size }) => ({ id, name, title, altText, mimetype, size })),
    values: draw(message.values[person.id] ?? {}, viewer),
  };
}

/** A message by its timestamp; undefined if this person does not see it. */
export function messageEntry(ts: string, viewer: Viewer): unknown {
  const { state } = viewer;
  const isIt = (message: SimMessage): boolean => message.ts === ts;
  const message = state.messages.findLast(isIt) ?? state.ephemerals.findLast(isIt);
  return message !== undefined && isFor(viewer, message) ? messageValue(message, viewer) : undefined;
}

export function* messageEntries(viewer: Viewer): Iterable<PageEntry> {
  const { state } = viewer;
  const perChannel = Map.groupBy(
    [...state.messages, ...state.ephemerals].filter((message) => isFor(viewer, message)),
    (message) => message.channel,
  );
  for (const messages of perChannel.values()) {
    const last = messages.sort((a, b) => (a.ts < b.ts ? -1 : 1)).slice(-newest);
    // Includes the parent of each thread, however old it is.
    const roots = new Set(last.map((message) => message.threadTs));
    for (const message of messages) {
      if (last.includes(message) || roots.has(message.ts))
        yield [`message/${message.ts}`, messageValue(message, viewer)];
    }
  }
}

function viewValue(view: SimView | undefined, depth: number, viewer: Viewer): unknown {
  if (view === undefined) return null;
  const { id, hash, title, submit, close, blocks, values, errors, isClearOnClose } = view;
  return {
    id,
    hash,
    depth,
    isClearOnClose,
    title: draw(title, viewer),
    submit: draw(submit, viewer),
    close: draw(close, viewer),
    blocks: draw(blocks, viewer),
    values: draw(values, viewer),
    errors,
  };
}

export function* viewEntries(viewer: Viewer): Iterable<PageEntry> {
  const { state, person } = viewer;
  const stack = state.modals[person.id] ?? [];
  yield ['modal', viewValue(stack.at(-1), stack.length, viewer)];
  yield ['home', viewValue(state.homes[person.id], 1, viewer)];
}
