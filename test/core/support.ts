import type { Account, Domain, Order, Project, Target } from '../../src/core/account/account.ts';
import type { Question } from '../../src/core/policy/evaluate.ts';
import type { Actor } from '../../src/core/policy/membership.ts';
import type { Policy } from '../../src/core/policy/policy.ts';
import type { Reading } from '../../src/core/targets/targets.ts';

export function makeOrder(id: string, name: string, more: Partial<Order> = {}): Order {
  return {
    kind: 'vps',
    id,
    label: name === '' ? (more.hostname ?? id) : name,
    name,
    hostname: null,
    addresses: [],
    moreAddresses: [],
    type: 'vps',
    plan: 'VPS-2',
    status: 'active',
    costMonth: 12,
    tariffPrice: 12,
    expires: '2030-01-01',
    tags: [],
    project: null,
    isCancelMarked: false,
    ...more,
  };
}

export const webOne = makeOrder('34-101', 'web-1', {
  hostname: 'one.example.com',
  addresses: ['192.0.2.10', '2001:db8::10'],
  tags: ['web', 'front'],
  project: { id: 7, name: 'Shop' },
});
export const webTwo = makeOrder('34-102', 'web-2', { addresses: ['192.0.2.11'], tags: ['web'] });
export const database = makeOrder('34-103', 'db', { tags: ['data'] });
export const nameless = makeOrder('34-104', '');
export const twinOne = makeOrder('34-105', 'twin');
export const twinTwo = makeOrder('34-106', 'Twin');
export const hidden = makeOrder('34-107', 'vault', { tags: ['secret'] });
const iron = makeOrder('35-900', 'iron', { kind: 'ds', type: 'ds' });

export const shop: Project = { id: 7, name: 'Shop', comment: '' };
export const numbered: Project = { id: 8, name: '7', comment: '' };
export const blogOne: Project = { id: 9, name: 'Blog', comment: '' };
export const blogTwo: Project = { id: 10, name: 'blog', comment: '' };

export const exampleCom: Domain = { name: 'example.com', tags: [], records: [] };
export const exampleOrg: Domain = { name: 'example.org', tags: ['web'], records: [] };

export const account: Account = {
  orders: [webOne, webTwo, database, nameless, twinOne, twinTwo, hidden, iron],
  domains: [exampleCom, exampleOrg],
  projects: [shop, numbered, blogOne, blogTwo],
  readAt: 0,
  unread: [],
  unreadable: [],
  reverseNames: undefined,
};

/** Somebody who may see everything but these. */
export function readingWithout(...ids: readonly string[]): Reading {
  return { account: account, maySee: (target: Target) => !ids.includes(target.id) };
}
export const everything = readingWithout();

export const member: Actor = { id: 'U1', membership: 'member', groups: [], isAdmin: false, isHere: true };
export const admin: Actor = { id: 'U9', membership: 'member', groups: [], isAdmin: true, isHere: true };

export function makePolicy(more: Partial<Policy> = {}): Policy {
  return { version: 3, grants: [], rules: {}, solo: false, ...more };
}

export function makeQuestion(more: Partial<Question> = {}): Question {
  return {
    actor: member,
    channelStanding: 'ok',
    policy: makePolicy({ grants: [{ to: ['everyone'], can: ['read', 'operate'], on: ['all'] }] }),
    capability: 'operate',
    risk: 'disruptive',
    targets: [],
    ...more,
  };
}
