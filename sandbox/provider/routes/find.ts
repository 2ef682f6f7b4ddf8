import { noSuch, notFound } from '../answer.ts';
import type { Call } from '../call.ts';
import type { Domain, DsPart, Order, OrderKind, Project, VpsPart } from '../model.ts';
import type { World } from '../world.ts';

/*
 * What a path names. Text that is no id at all is "Not found.", an id that nothing has is "No … matches the given query.":
 * the framework tells them apart.
 */

export function findOrder(world: World, id: string, kind?: OrderKind): Order {
  const order = world.state.orders.get(id);
  if (!order || (kind !== undefined && order.kind !== kind)) throw noSuch('Order');
  return order;
}

export function findVps(world: World, id: string): Order & { vps: VpsPart } {
  const order = findOrder(world, id, 'vps');
  if (!isVps(order)) throw noSuch('Order');
  return order;
}

export function findDs(world: World, id: string): Order & { ds: DsPart } {
  const order = findOrder(world, id, 'ds');
  if (!isDs(order)) throw noSuch('Order');
  return order;
}

export function findProject({ world, params }: Call<'id'>): Project {
  const project = world.state.projects.get(integerIn(params.id));
  if (!project) throw noSuch('Project');
  return project;
}

export function findDomain({ world, params }: { world: World; params: { readonly name: string } }): Domain {
  const domain = world.state.domains.get(params.name.toLowerCase());
  if (!domain) throw noSuch('Domain');
  return domain;
}

export function integerIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw notFound();
  return Number(text);
}

const isVps = (order: Order): order is Order & { vps: VpsPart } => order.vps !== null;
const isDs = (order: Order): order is Order & { ds: DsPart } => order.ds !== null;
