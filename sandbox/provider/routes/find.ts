import { noSuch, notFound } from '../answer.ts';
import type { ProviderRequestCall } from '../call.ts';
import type { DsPart, OrderKind, SimDomain, SimOrder, SimProject, StoragePart, VpsPart } from '../model.ts';
import type { ProviderState } from '../types.ts';

/*
 * What a path names. Text that is no id at all is "Not found.", an id that nothing has is "No … matches the given query.":
 * the framework tells them apart.
 */

export function findOrder(world: ProviderState, id: string, kind?: OrderKind): SimOrder {
  const order = world.state.orders.get(id);
  if (!order || (kind !== undefined && order.kind !== kind)) throw noSuch('Order');
  return order;
}

export function findVps(world: ProviderState, id: string): SimOrder & { vps: VpsPart } {
  const order = findOrder(world, id, 'vps');
  if (!isVps(order)) throw noSuch('Order');
  return order;
}

export function findDs(world: ProviderState, id: string): SimOrder & { ds: DsPart } {
  const order = findOrder(world, id, 'ds');
  if (!isDs(order)) throw noSuch('Order');
  return order;
}

export function findStorage(world: ProviderState, id: string): SimOrder & { storage: StoragePart } {
  const order = findOrder(world, id, 'storage');
  if (!isStorage(order)) throw noSuch('Order');
  return order;
}

export function findProject({ world, params }: ProviderRequestCall<'id'>): SimProject {
  const project = world.state.projects.get(integerIn(params.id));
  if (!project) throw noSuch('Project');
  return project;
}

export function findDomain({ world, params }: { world: ProviderState; params: { readonly name: string } }): SimDomain {
  const domain = world.state.domains.get(params.name.toLowerCase());
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
