import { noSuch, notFound } from '../answer.ts';
import type { ProviderRequestCall } from '../call.ts';
import type { DsPart, OrderKind, SimDomain, SimOrder, SimProject, StoragePart, VpsPart } from '../model.ts';
import type { ProviderState } from '../types.ts';

/*
 * Finds the item that a path names. As in Django REST Framework, malformed ids get "Not found." and unknown ids "No …
 * matches the given query."
 */

export function findOrder(provider: ProviderState, id: string, kind?: OrderKind): SimOrder {
  const order = provider.state.orders.get(id);
  if (!order || (kind !== undefined && order.kind !== kind)) throw noSuch('Order');
  return order;
}

export function findVps(provider: ProviderState, id: string): SimOrder & { vps: VpsPart } {
  const order = findOrder(provider, id, 'vps');
  if (!isVps(order)) throw noSuch('Order');
  return order;
}

export function findDs(provider: ProviderState, id: string): SimOrder & { ds: DsPart } {
  const order = findOrder(provider, id, 'ds');
  if (!isDs(order)) throw noSuch('Order');
  return order;
}

export function findStorage(provider: ProviderState, id: string): SimOrder & { storage: StoragePart } {
  const order = findOrder(provider, id, 'storage');
  if (!isStorage(order)) throw noSuch('Order');
  return order;
}

export function findProject({ provider, params }: ProviderRequestCall<'id'>): SimProject {
  const project = provider.state.projects.get(integerIn(params.id));
  if (!project) throw noSuch('Project');
  return project;
}

export function findDomain({
  provider,
  params,
}: {
  provider: ProviderState;
  params: { readonly name: string };
}): SimDomain {
  const domain = provider.state.domains.get(params.name.toLowerCase());
  if (!domain) throw noSuch('Domain');
  return domain;
}

export function integerIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}

const isVps = (order: SimOrder): order is SimOrder & { vps: VpsPart } => order.vps !== null;
const isDs = (order: SimOrder): order is SimOrder & { ds: DsPart } => order.ds !== null;
const isStorage = (order: SimOrder): order is SimOrder & { storage: StoragePart } => order.storage !== null;
