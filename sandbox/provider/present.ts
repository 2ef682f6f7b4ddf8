import type { DiskSnapshot, SimOrder, SimProject } from './model.ts';
import { naiveDate, zuluDate } from './time.ts';
import type { ProviderState } from './types.ts';

/** The provider's words for the kinds of orders. */
export const orderTypes = {
  vps: 'vps',
  ds: 'ds',
  backup: 'backup',
  domain: 'domain',
  storage: 'object_storage',
} as const;

export function presentOrder(provider: ProviderState, order: SimOrder, origin: string) {
  const project = order.projectId === null ? undefined : provider.state.projects.get(order.projectId);
  return {
    id: order.id,
    name: order.name,
    tariff: order.tariff,
    tariff_price: order.tariffPrice,
    type: order.type ?? orderTypes[order.kind],
    hostname: order.hostname,
    ipaddress_set: order.addresses,
    status: order.status,
    cost_month: order.costMonth,
    expiration_date: order.expiresAt === null ? null : naiveDate(order.expiresAt),
    tags: order.tags,
    cancel_mark: order.hasCancelMark,
    project: project ? presentProject(project, origin) : null,
  };
}

export function presentVpsOrder(provider: ProviderState, order: SimOrder, origin: string) {
  return { ...presentOrder(provider, order, origin), configuration: order.vps?.configuration };
}

export function presentDsOrder(provider: ProviderState, order: SimOrder, origin: string) {
  const { trafficLimitBytes: _limit, trafficBytesPerSec: _rate, ...configuration } = order.ds ?? {};
  return { ...presentOrder(provider, order, origin), configuration };
}

export function presentProject(project: SimProject, origin: string) {
  const path = project.logo ? `${project.id}/${encodeURIComponent(project.logo.fileName)}` : 'default.svg';
  return {
    id: project.id,
    name: project.name,
    comment: project.comment,
    logo: `${origin}/media/project/${path}`,
  };
}

export function presentSnapshot(snapshot: DiskSnapshot) {
  return {
    id: snapshot.id,
    name: snapshot.name,
    size_gb: snapshot.sizeGb,
    created_at: zuluDate(snapshot.createdAt),
  };
}
