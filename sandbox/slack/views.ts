import { normalizeBlocks } from './blocks.ts';
import { asDict, asDicts, asText, type Dict } from './dict.ts';
import { imageLookup } from './files.ts';
import type { SimView } from './state.ts';
import { checkView } from './validate/view.ts';
import { valuesOf } from './values.ts';
import { nextId, nowS, secret, type Workspace } from './world.ts';

const maxStack = 3;

export type ViewResult = { view: SimView } | { error: string; problems: string[] };

const refused = (error: string, problems: string[] = []): ViewResult => ({ error, problems });

const newHash = (world: Workspace): string => `${nowS(world)}.${secret(4)}`;

export function allViews(world: Workspace): SimView[] {
  return [...Object.values(world.state.modals).flat(), ...Object.values(world.state.homes)];
}

function fields(
  world: Workspace,
  raw: Dict,
): Pick<
  SimView,
  | 'callbackId'
  | 'externalId'
  | 'privateMetadata'
  | 'title'
  | 'submit'
  | 'close'
  | 'blocks'
  | 'isClearOnClose'
  | 'isNotifyOnClose'
> {
  const textObject = (value: unknown): Dict | null => (value === undefined ? null : { emoji: true, ...asDict(value) });
  return {
    callbackId: asText(raw.callback_id),
    externalId: asText(raw.external_id),
    privateMetadata: asText(raw.private_metadata),
    title: textObject(raw.title),
    submit: textObject(raw.submit),
    close: textObject(raw.close),
    blocks: normalizeBlocks(world.state, asDicts(raw.blocks)),
    isClearOnClose: raw.clear_on_close === true,
    isNotifyOnClose: raw.notify_on_close === true,
  };
}

function create(
  world: Workspace,
  raw: Dict,
  type: SimView['type'],
  userId: string,
  below: SimView | undefined,
): SimView {
  const id = nextId(world.state, 'V');
  const own = fields(world, raw);
  return {
    id,
    hash: newHash(world),
    type,
    userId,
    ...own,
    rootViewId: below?.rootViewId ?? id,
    previousViewId: below?.id ?? null,
    values: valuesOf(own.blocks, {}),
    errors: {},
  };
}

function isTakenExternalId(world: Workspace, raw: Dict, except?: SimView): boolean {
  const externalId = asText(raw.external_id);
  return externalId !== '' && allViews(world).some((view) => view.externalId === externalId && view !== except);
}

/** A new modal; on top of the one the click came from, or in place of whatever the person had open. */
export function openView(world: Workspace, userId: string, raw: unknown, mode: { isPush: boolean }): ViewResult {
  const wrong = checkView(raw, 'modal', imageLookup(world));
  if (wrong !== undefined) return refused(wrong.error, wrong.problems);
  const stack = mode.isPush ? (world.state.modals[userId] ?? []) : [];
  if (stack.length >= maxStack) return refused('push_limit_reached');
  if (isTakenExternalId(world, asDict(raw))) return refused('duplicate_external_id');
  const view = create(world, asDict(raw), 'modal', userId, stack.at(-1));
  world.state.modals[userId] = [...stack, view];
  world.changed({ kind: 'modal', id: userId });
  return { view };
}

export function updateView(world: Workspace, view: SimView, raw: unknown, hash?: string): ViewResult {
  if (hash !== undefined && hash !== '' && hash !== view.hash) return refused('hash_conflict');
  const wrong = checkView(raw, view.type, imageLookup(world));
  if (wrong !== undefined) return refused(wrong.error, wrong.problems);
  if (isTakenExternalId(world, asDict(raw), view)) return refused('duplicate_external_id');
  const own = fields(world, asDict(raw));
  Object.assign(view, own, { hash: newHash(world), values: valuesOf(own.blocks, view.values), errors: {} });
  world.changed({ kind: view.type, id: view.userId });
  return { view };
}

export function publishHome(world: Workspace, userId: string, raw: unknown, hash?: string): ViewResult {
  const present = world.state.homes[userId];
  if (present !== undefined) return updateView(world, present, raw, hash);
  const wrong = checkView(raw, 'home', imageLookup(world));
  if (wrong !== undefined) return refused(wrong.error, wrong.problems);
  const view = create(world, asDict(raw), 'home', userId, undefined);
  world.state.homes[userId] = view;
  world.changed({ kind: 'home', id: userId });
  return { view };
}

export const topView = (world: Workspace, userId: string): SimView | undefined => world.state.modals[userId]?.at(-1);

/** Takes views off a person's stack; the whole stack when `from` is not given. */
export function dropViews(world: Workspace, userId: string, from?: SimView): SimView[] {
  const stack = world.state.modals[userId] ?? [];
  const at = from === undefined ? 0 : stack.indexOf(from);
  if (at < 0) return [];
  const dropped = stack.splice(at);
  if (stack.length === 0) delete world.state.modals[userId];
  world.changed({ kind: 'modal', id: userId });
  return dropped;
}

/** A view as the API and payloads show it. */
export function viewObject(world: Workspace, view: SimView): Dict {
  const { team, app } = world.state;
  return {
    id: view.id,
    team_id: team.id,
    type: view.type,
    blocks: view.blocks,
    private_metadata: view.privateMetadata,
    callback_id: view.callbackId,
    state: { values: view.values },
    hash: view.hash,
    title: view.title ?? { type: 'plain_text', text: 'View Title', emoji: true },
    clear_on_close: view.isClearOnClose,
    notify_on_close: view.isNotifyOnClose,
    close: view.close,
    submit: view.submit,
    previous_view_id: view.previousViewId,
    root_view_id: view.rootViewId,
    app_id: app.id,
    external_id: view.externalId,
    app_installed_team_id: team.id,
    bot_id: app.botId,
  };
}
