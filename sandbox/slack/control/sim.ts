import { channelOf, personOf } from '../channels.ts';
import type { HttpDelivery } from '../delivery/http.ts';
import type { SocketMode } from '../delivery/socket.ts';
import type { DeliveryAnswer, Outcome, Payload } from '../delivery/types.ts';
import type { ApiFault, BlockRefusal, DeliveryFaults } from '../faults.ts';
import { plainText, viewText } from '../reading/transcript.ts';
import { seedIds } from '../seed.ts';
import type { SimChannel, SimMessage, SimPerson, SimView, SlackState, StoredFile, UserGroup } from '../state.ts';
import { topView } from '../views.ts';
import type { RecordedRequest, SlackChange, Workspace } from '../workspace.ts';
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
import { type AppPost, attach, postByApp, type SayOptions, say, shortcut, shortcutOnMessage, upload } from './say.ts';
import type { ElementTarget } from './target.ts';
import { readTranscript, usualTimeoutMs, type WaitOptions, waitFor, waitForWords } from './watch.ts';

/**
 * All acts of people and admins in this workspace, and its faults. People are named by id or handle ("lead"), channels
 * by id or name ("#ops"); "dm" is the person's conversation with the bot.
 */
export interface SlackControl {
  say(user: string, channel: string, text: string, options?: SayOptions): Promise<Outcome>;
  /** Uploads a file to a channel; returns its id. */
  upload(user: string, channel: string, name: string, content: string | Uint8Array): string;
  /** Uploads a file for a file input; returns its id. */
  attach(user: string, name: string, content: string | Uint8Array): string;
  /** Posts as another app, such as monitoring, often without a text and with everything in attachments or blocks. */
  postByApp(channel: string, post: AppPost): SimMessage;
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
  /** Changes a channel's id, as sharing a private channel does; returns the new id. */
  changeChannelId(channel: string): Promise<string>;
  setPrivate(channel: string, isPrivate: boolean): void;
  invite(channel: string, user: string): Promise<void>;
  kick(channel: string, user: string): Promise<void>;
  /** Restores the workspace's first state, except for tokens and open sockets. */
  reset(): void;
  revokeToken(): Promise<void>;
  restoreToken(): void;
  uninstall(): Promise<void>;
  setScopes(scopes: readonly string[]): void;

  fault(fault: ApiFault): () => void;
  /** Makes Slack refuse this type of block, on one surface or all. */
  refuseBlocks(refusal: BlockRefusal): () => void;
  /** Makes Slack take its time to process pictures: it refuses them this many times. */
  delayPictures(refusals: number): void;
  deliveryFaults(change: Partial<DeliveryFaults>): void;
  clearFaults(): void;
  /** Makes Slack unreachable: calls fail and sockets break. */
  setDown(isDown: boolean): void;
  connections(): number;
  dropSockets(): void;
  refreshSockets(options?: { isWarned?: boolean }): void;
  setSocketMode(isEnabled: boolean): void;
  /** Switches to signed HTTP requests to this address; null returns to Socket Mode. */
  setRequestUrl(url: string | null): void;
  verifyRequestUrl(): Promise<boolean>;
}

interface Transports {
  socketMode: SocketMode;
  http: HttpDelivery;
}

export function createSim(workspace: Workspace, transports: Transports): SlackControl {
  const { state } = workspace;
  const sim: SlackControl = {
    say: (user, channel, text, options) => say(workspace, user, channel, text, options),
    upload: (user, channel, name, content) => upload(workspace, user, channel, name, content),
    attach: (user, name, content) => attach(workspace, user, name, content),
    postByApp: (channel, post) => postByApp(workspace, channel, post),
    click: (user, target, options) => click(workspace, user, target, options),
    select: (user, target) => select(workspace, user, target),
    fill: (user, entries, options) => fill(workspace, user, entries, options),
    suggest: (user, target) => suggest(workspace, user, target),
    submit: (user) => submit(workspace, user),
    closeView: (user, options) => closeView(workspace, user, options),
    openHome: (user) => openHome(workspace, user),
    shortcut: (user, callbackId) => shortcut(workspace, user, callbackId),
    messageShortcut: (user, callbackId, target) => shortcutOnMessage(workspace, user, callbackId, target),

    view: (user) => topView(workspace, personOf(workspace, user).id),
    views: (user) => state.modals[personOf(workspace, user).id] ?? [],
    viewText(user) {
      const viewer = personOf(workspace, user);
      const view = topView(workspace, viewer.id);
      return view === undefined ? '' : viewText(view, { workspace, viewer });
    },
    home: (user) => state.homes[personOf(workspace, user).id],
    homeText(user) {
      const viewer = personOf(workspace, user);
      const view = state.homes[viewer.id];
      return view === undefined ? '' : viewText(view, { workspace, viewer });
    },
    messages: (channel) => {
      const { id } = channelOf(workspace, channel);
      return state.messages.filter((message) => message.channel === id);
    },
    ephemerals: (user) => {
      const { id } = personOf(workspace, user);
      return state.ephemerals.filter((message) => message.visibleTo === id);
    },
    files: () => state.files.filter((file) => file.isCompleted),
    fileContent: (id) => Buffer.from(state.files.find((file) => file.id === id)?.contentBase64 ?? '', 'base64'),
    plainText: (message, viewer) =>
      plainText(message, { workspace, viewer: viewer === undefined ? undefined : personOf(workspace, viewer) }),
    transcript: (channel, viewer) => readTranscript(workspace, channel, viewer),
    state: () => state,
    openDm: (user) => channelOf(workspace, 'dm', personOf(workspace, user)),

    waitFor: <T>(
      what: string | RegExp | ((sim: SlackControl) => T | undefined | false | null),
      options: WaitOptions = {},
    ) =>
      typeof what === 'function'
        ? waitFor(workspace, what.toString(), () => what(sim), options.timeoutMs ?? usualTimeoutMs)
        : // The overloads tie a text to a transcript and a predicate to its result, which the implementation cannot express.
          (waitForWords(workspace, what, options) as Promise<T & string>),
    onChange: (listener) => workspace.onChange(listener),
    outcomes: () => workspace.delivery.outcomes(),
    payload: (id) => workspace.delivery.payload(id),
    requests: (method) => workspace.requests.filter((request) => method === undefined || request.method === method),
    replay: (payloadId) => workspace.delivery.replay(payloadId),

    deactivate: (user) => people.changePerson(workspace, user, { isDeactivated: true }),
    reactivate: (user) => people.changePerson(workspace, user, { isDeactivated: false }),
    makeGuest: (user, isGuest = true) => people.changePerson(workspace, user, { isRestricted: isGuest }),
    changePerson: (user, change) => people.changePerson(workspace, user, change),
    addPerson: (person) => people.addPerson(workspace, person),
    addGroup: (group) => people.addGroup(workspace, group),
    setMembers: (group, members) => people.setMembers(workspace, group, members),
    setGroupDisabled: (group, isDisabled) => people.setGroupDisabled(workspace, group, isDisabled),
    addChannel: (channel) => channels.addChannel(workspace, channel),
    archive: (channel) => channels.setArchived(workspace, channel, true),
    unarchive: (channel) => channels.setArchived(workspace, channel, false),
    share: (channel, teamId = seedIds.partnerTeam) => channels.setShared(workspace, channel, teamId, true),
    unshare: (channel, teamId = seedIds.partnerTeam) => channels.setShared(workspace, channel, teamId, false),
    changeChannelId: (channel) => channels.changeId(workspace, channel),
    rename: (channel, name) => channels.rename(workspace, channel, name),
    setPrivate: (channel, isPrivate) => channels.setPrivate(workspace, channel, isPrivate),
    invite: (channel, user) => channels.invite(workspace, channel, user),
    kick: (channel, user) => channels.kick(workspace, channel, user),
    reset: () => app.startOver(workspace),
    revokeToken: () => app.revokeToken(workspace),
    restoreToken: () => {
      state.isTokenRevoked = false;
    },
    uninstall: () => app.uninstall(workspace),
    setScopes: (scopes) => {
      state.scopes = [...scopes];
    },

    fault: (fault) => workspace.faults.add(fault),
    refuseBlocks: (refusal) => workspace.faults.refuseBlocks(refusal),
    delayPictures: (refusals) => {
      workspace.faults.unreadyPictures = refusals;
    },
    deliveryFaults: (change) => {
      Object.assign(workspace.faults.delivery, change);
    },
    clearFaults: () => workspace.faults.clear(),
    setDown: (isDown) => {
      workspace.faults.isDown = isDown;
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
