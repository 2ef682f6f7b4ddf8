import { channelOf, personOf } from '../channels.ts';
import type { HttpDelivery } from '../delivery/http.ts';
import type { SocketMode } from '../delivery/socket.ts';
import type { DeliveryAnswer, Outcome, Payload } from '../delivery/types.ts';
import type { ApiFault, DeliveryFaults } from '../faults.ts';
import { plainText, viewText } from '../reading/transcript.ts';
import { seedIds } from '../seed.ts';
import type { SimChannel, SimMessage, SimPerson, SimView, SlackState, StoredFile, UserGroup } from '../state.ts';
import { topView } from '../views.ts';
import type { RecordedRequest, SlackChange, Workspace } from '../world.ts';
import * as app from './app.ts';
import * as channels from './channels.ts';
import { closeView, openHome, submit } from './modal.ts';
import * as people from './people.ts';
import {
  type Choice,
  type ClickOptions,
  click,
  type EnteredValue,
  fill,
  type Suggestions,
  select,
  suggest,
} from './press.ts';
import { attach, type SayOptions, say, shortcut, shortcutOnMessage, upload } from './say.ts';
import type { ElementTarget } from './target.ts';
import { readTranscript, usualTimeoutMs, type WaitOptions, waitFor, waitForWords } from './watch.ts';

/**
 * Everything people, admins and misfortune can do in this workspace. People are named by id or handle ("lead"), channels by
 * id or name ("#ops"); "dm" is the person's own conversation with the bot.
 */
export interface SlackControl {
  say(user: string, channel: string, text: string, options?: SayOptions): Promise<Outcome>;
  /** Puts a file into a channel; answers its id. */
  upload(user: string, channel: string, name: string, content: string | Uint8Array): string;
  /** A file for a file input; answers its id. */
  attach(user: string, name: string, content: string | Uint8Array): string;
  click(user: string, target: ElementTarget, options?: ClickOptions): Promise<Outcome>;
  select(user: string, target: Choice): Promise<Outcome>;
  fill(user: string, entries: Record<string, EnteredValue>, options?: { home?: boolean }): Promise<Outcome[]>;
  suggest(user: string, target: ElementTarget & { value: string }): Promise<Suggestions>;
  submit(user: string): Promise<Outcome>;
  closeView(user: string, options?: { isAll?: boolean }): Promise<Outcome>;
  openHome(user: string): Promise<Outcome>;
  shortcut(user: string, callbackId: string): Promise<Outcome>;
  messageShortcut(user: string, callbackId: string, target: { channel: string; ts: string }): Promise<Outcome>;

  /** The modal on top of this person's stack. */
  view(user: string): SimView | undefined;
  views(user: string): SimView[];
  viewText(user: string): string;
  home(user: string): SimView | undefined;
  homeText(user: string): string;
  messages(channel: string): SimMessage[];
  ephemerals(user: string): SimMessage[];
  files(): StoredFile[];
  fileContent(id: string): Buffer;
  plainText(message: SimMessage, viewer?: string): string;
  transcript(channel: string, viewer?: string): string;
  state(): Readonly<SlackState>;
  openDm(user: string): SimChannel;

  waitFor(words: string | RegExp, options?: WaitOptions): Promise<string>;
  waitFor<T>(predicate: (sim: SlackControl) => T | undefined | false | null, options?: WaitOptions): Promise<T>;
  onChange(listener: (change: SlackChange) => void): () => void;
  outcomes(): Outcome[];
  payload(id: string): Payload | undefined;
  requests(method?: string): RecordedRequest[];
  replay(payloadId: string): Promise<DeliveryAnswer>;

  deactivate(user: string): Promise<void>;
  reactivate(user: string): Promise<void>;
  makeGuest(user: string, isGuest?: boolean): Promise<void>;
  changePerson(user: string, change: Partial<Omit<SimPerson, 'id'>>): Promise<void>;
  addPerson(person: Partial<SimPerson> & { name: string }): Promise<SimPerson>;
  addGroup(group: Pick<UserGroup, 'handle' | 'members'> & Partial<UserGroup>): Promise<UserGroup>;
  setMembers(group: string, members: readonly string[]): Promise<void>;
  setGroupDisabled(group: string, isDisabled: boolean): Promise<void>;
  addChannel(channel: Partial<SimChannel> & { name: string }): SimChannel;
  archive(channel: string): Promise<void>;
  unarchive(channel: string): Promise<void>;
  share(channel: string, teamId?: string): Promise<void>;
  unshare(channel: string, teamId?: string): Promise<void>;
  rename(channel: string, name: string): Promise<void>;
  setPrivate(channel: string, isPrivate: boolean): void;
  invite(channel: string, user: string): Promise<void>;
  kick(channel: string, user: string): Promise<void>;
  /** The workspace as it was on its first day; tokens and open sockets stay. */
  reset(): void;
  revokeToken(): Promise<void>;
  restoreToken(): void;
  uninstall(): Promise<void>;
  setScopes(scopes: readonly string[]): void;

  fault(fault: ApiFault): () => void;
  deliveryFaults(change: Partial<DeliveryFaults>): void;
  clearFaults(): void;
  /** Slack is unreachable: nothing answers, sockets break. */
  setDown(isDown: boolean): void;
  connections(): number;
  dropSockets(): void;
  refreshSockets(options?: { isWarned?: boolean }): void;
  setSocketMode(isEnabled: boolean): void;
  /** Signed HTTP to this address from now on; null goes back to Socket Mode. */
  setRequestUrl(url: string | null): void;
  verifyRequestUrl(): Promise<boolean>;
}

interface Transports {
  socketMode: SocketMode;
  http: HttpDelivery;
}

export function createSim(world: Workspace, transports: Transports): SlackControl {
  const { state } = world;
  const sim: SlackControl = {
    say: (user, channel, text, options) => say(world, user, channel, text, options),
    upload: (user, channel, name, content) => upload(world, user, channel, name, content),
    attach: (user, name, content) => attach(world, user, name, content),
    click: (user, target, options) => click(world, user, target, options),
    select: (user, target) => select(world, user, target),
    fill: (user, entries, options) => fill(world, user, entries, options),
    suggest: (user, target) => suggest(world, user, target),
    submit: (user) => submit(world, user),
    closeView: (user, options) => closeView(world, user, options),
    openHome: (user) => openHome(world, user),
    shortcut: (user, callbackId) => shortcut(world, user, callbackId),
    messageShortcut: (user, callbackId, target) => shortcutOnMessage(world, user, callbackId, target),

    view: (user) => topView(world, personOf(world, user).id),
    views: (user) => state.modals[personOf(world, user).id] ?? [],
    viewText(user) {
      const viewer = personOf(world, user);
      const view = topView(world, viewer.id);
      return view === undefined ? '' : viewText(view, { world, viewer });
    },
    home: (user) => state.homes[personOf(world, user).id],
    homeText(user) {
      const viewer = personOf(world, user);
      const view = state.homes[viewer.id];
      return view === undefined ? '' : viewText(view, { world, viewer });
    },
    messages: (channel) => {
      const { id } = channelOf(world, channel);
      return state.messages.filter((message) => message.channel === id);
    },
    ephemerals: (user) => {
      const { id } = personOf(world, user);
      return state.ephemerals.filter((message) => message.visibleTo === id);
    },
    files: () => state.files.filter((file) => file.isCompleted),
    fileContent: (id) => Buffer.from(state.files.find((file) => file.id === id)?.contentBase64 ?? '', 'base64'),
    plainText: (message, viewer) =>
      plainText(message, { world, viewer: viewer === undefined ? undefined : personOf(world, viewer) }),
    transcript: (channel, viewer) => readTranscript(world, channel, viewer),
    state: () => state,
    openDm: (user) => channelOf(world, 'dm', personOf(world, user)),

    waitFor: <T>(
      what: string | RegExp | ((sim: SlackControl) => T | undefined | false | null),
      options: WaitOptions = {},
    ) =>
      typeof what === 'function'
        ? waitFor(world, what.toString(), () => what(sim), options.timeoutMs ?? usualTimeoutMs)
        : // The overloads above tie words to a transcript and a predicate to its own result; an implementation cannot say so.
          (waitForWords(world, what, options) as Promise<T & string>),
    onChange: (listener) => world.onChange(listener),
    outcomes: () => world.delivery.outcomes(),
    payload: (id) => world.delivery.payload(id),
    requests: (method) => world.requests.filter((request) => method === undefined || request.method === method),
    replay: (payloadId) => world.delivery.replay(payloadId),

    deactivate: (user) => people.changePerson(world, user, { isDeactivated: true }),
    reactivate: (user) => people.changePerson(world, user, { isDeactivated: false }),
    makeGuest: (user, isGuest = true) => people.changePerson(world, user, { isRestricted: isGuest }),
    changePerson: (user, change) => people.changePerson(world, user, change),
    addPerson: (person) => people.addPerson(world, person),
    addGroup: (group) => people.addGroup(world, group),
    setMembers: (group, members) => people.setMembers(world, group, members),
    setGroupDisabled: (group, isDisabled) => people.setGroupDisabled(world, group, isDisabled),
    addChannel: (channel) => channels.addChannel(world, channel),
    archive: (channel) => channels.setArchived(world, channel, true),
    unarchive: (channel) => channels.setArchived(world, channel, false),
    share: (channel, teamId = seedIds.partnerTeam) => channels.setShared(world, channel, teamId, true),
    unshare: (channel, teamId = seedIds.partnerTeam) => channels.setShared(world, channel, teamId, false),
    rename: (channel, name) => channels.rename(world, channel, name),
    setPrivate: (channel, isPrivate) => channels.setPrivate(world, channel, isPrivate),
    invite: (channel, user) => channels.invite(world, channel, user),
    kick: (channel, user) => channels.kick(world, channel, user),
    reset: () => app.startOver(world),
    revokeToken: () => app.revokeToken(world),
    restoreToken: () => {
      state.isTokenRevoked = false;
    },
    uninstall: () => app.uninstall(world),
    setScopes: (scopes) => {
      state.scopes = [...scopes];
    },

    fault: (fault) => world.faults.add(fault),
    deliveryFaults: (change) => {
      Object.assign(world.faults.delivery, change);
    },
    clearFaults: () => world.faults.clear(),
    setDown: (isDown) => {
      world.faults.isDown = isDown;
      if (isDown) transports.socketMode.drop();
    },
    connections: () => transports.socketMode.connections(),
    dropSockets: () => transports.socketMode.drop(),
    refreshSockets: (options) => transports.socketMode.refresh(options),
    setSocketMode: (isEnabled) => transports.socketMode.setEnabled(isEnabled),
    setRequestUrl: (url) => {
      transports.http.url = url;
    },
    verifyRequestUrl: () => transports.http.verifyUrl(),
  };
  return sim;
}
