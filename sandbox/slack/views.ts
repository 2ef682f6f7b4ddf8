import { refuseView } from './accept.ts';
import { normalizeBlocks } from './blocks.ts';
import { asDict, asDicts, asText, type Dict } from './dict.ts';
import type { SimView } from './state.ts';
import { valuesOf } from './values.ts';
import { nextId, nowS, secret, type Workspace } from './workspace.ts';

const maxStack = 3;

export type ViewResult = { view: SimView } | { error: string; problems: string[] };

const refused = (error: string, problems: string[] = []): ViewResult => ({ error, problems });

const newHash = (workspace: Workspace): string => `${nowS(workspace)}.${secret(4)}`;

export function allViews(workspace: Workspace): SimView[] {
  return [...Object.values(workspace.state.modals).flat(), ...Object.values(workspace.state.homes)];
}

function fields(
  workspace: Workspace,
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
    blocks: normalizeBlocks(workspace.state, asDicts(raw.blocks)),
    isClearOnClose: raw.clear_on_close === true,
    isNotifyOnClose: raw.notify_on_close === true,
  };
}

function create(
  workspace: Workspace,
  raw: Dict,
  type: SimView['type'],
  userId: string,
  below: SimView | undefined,
): SimView {
  const id = nextId(workspace.state, 'V');
  const own = fields(workspace, raw);
  return {
    id,
    hash: newHash(workspace),
    type,
    userId,
    ...own,
    rootViewId: below?.rootViewId ?? id,
    previousViewId: below?.id ?? null,
    values: valuesOf(own.blocks, {}),
    errors: {},
  };
}

function isTakenExternalId(workspace: Workspace, raw: Dict, except?: SimView): boolean {
  const externalId = asText(raw.external_id);
  return externalId !== '' && allViews(workspace).some((view) => view.externalId === externalId && view !== except);
}

/** Opens a modal, on top of the click's modal or in place of all open ones. */
export function openView(workspace: Workspace, userId: string, raw: unknown, mode: { isPush: boolean }): ViewResult {
  const wrong = refuseView(workspace, raw, 'modal');
  if (wrong !== undefined) return refused(wrong.error, wrong.problems);
  const stack = mode.isPush ? (workspace.state.modals[userId] ?? []) : [];
  if (stack.length >= maxStack) return refused('push_limit_reached');
  if (isTakenExternalId(workspace, asDict(raw))) return refused('duplicate_external_id');
  const view = create(workspace, asDict(raw), 'modal', userId, stack.at(-1));
  workspace.state.modals[userId] = [...stack, view];
  workspace.changed({ kind: 'modal', id: userId });
  return { view };
}

export function updateView(workspace: Workspace, view: SimView, raw: unknown, hash?: string): ViewResult {
  if (hash !== undefined && hash !== '' && hash !== view.hash) return refused('hash_conflict');
  const wrong = refuseView(workspace, raw, view.type);
  if (wrong !== undefined) return refused(wrong.error, wrong.problems);
  if (isTakenExternalId(workspace, asDict(raw), view)) return refused('duplicate_external_id');
  const own = fields(workspace, asDict(raw));
  Object.assign(view, own, { hash: newHash(workspace), values: valuesOf(own.blocks, view.values), errors: {} });
  workspace.changed({ kind: view.type, id: view.userId });
  return { view };
}

export function publishHome(workspace: Workspace, userId: string, raw: unknown, hash?: string): ViewResult {
  const present = workspace.state.homes[userId];
  if (present !== undefined) return updateView(workspace, present, raw, hash);
  const wrong = refuseView(workspace, raw, 'home');
  if (wrong !== undefined) return refused(wrong.error, wrong.problems);
  const view = create(workspace, asDict(raw), 'home', userId, undefined);
  workspace.state.homes[userId] = view;
  workspace.changed({ kind: 'home', id: userId });
  return { view };
}

export const topView = (workspace: Workspace, userId: string): SimView | undefined =>
  workspace.state.modals[userId]?.at(-1);

/** Removes views from a person's stack, from this view on or all of them. */
export function dropViews(workspace: Workspace, userId: string, from?: SimView): SimView[] {
  const stack = workspace.state.modals[userId] ?? [];
  const at = from === undefined ? 0 : stack.indexOf(from);
  if (at < 0) return [];
  const dropped = stack.splice(at);
  if (stack.length === 0) delete workspace.state.modals[userId];
  workspace.changed({ kind: 'modal', id: userId });
  return dropped;
}

/** A view as the API and payloads show it. */
export function viewObject(workspace: Workspace, view: SimView): Dict {
  const { team, app } = workspace.state;
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
