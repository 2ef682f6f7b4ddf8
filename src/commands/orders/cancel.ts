import { z } from 'zod';
import { type Account, orderTarget } from '../../core/account/account.ts';
import { powerText, sayStatus } from '../../core/account/trouble.ts';
import { choice, flag } from '../../core/command/args.ts';
import type { Verdict } from '../../core/plan/plan.ts';
import { count, dayInWords, monthly } from '../../core/text/words.ts';
import { dayNamed, sayDay } from '../../core/view/days.ts';
import { ifReadable, Refusal } from '../../core/view/errors.ts';
import { dotted, text } from '../../core/view/view.ts';
import { defaultOf } from '../args.ts';
import { defineAction, sent, verdictOf } from '../define.ts';
import { dependsOn, namesHere, paidUntil, seeServers } from '../servers/see-servers.ts';
import { anyOrder, type FreshOrder, kindWord, orderLine, readOrder } from './read-order.ts';

const cancelStep = z.object({
  id: z.string(),
  name: z.string(),
  when: z.enum(['expired', 'now']),
  /** Null if the provider never keeps a snapshot of this order: the field is not sent. */
  saveBackup: z.boolean().nullable(),
  /** The end of the paid period; null if the provider does not return it. */
  until: z.number().nullable().exactOptional(),
});

const isCanceled = 'the order is canceled';

type When = z.infer<typeof cancelStep>['when'];

export const cancel = defineAction({
  path: 'cancel',
  words: `cancel · terminate · delete · destroy · remove · end · get rid of · rm · del · drop | order · server ·
    machine · subscription · contract · droplet | no longer need · do not need · not need · do not renew · don't
    renew · finish the order · dont want to pay for · give back`,
  title: 'End an order',
  summary: 'End an order: when its paid period ends, or as soon as the provider can',
  examples: ['cancel staging-1', 'cancel wiki-1 expired --no-backup'],
  args: {
    order: {
      ...anyOrder,
      hint: `${anyOrder.hint} A request is called off on its card.`,
      example: 'staging-1',
      source: 'live-orders',
    },
    when: defaultOf(choice)({
      hint: 'When the paid period ends, or now. The provider does not support now yet.',
      of: ['expired', 'now'],
      also: { end: 'expired', later: 'expired', immediately: 'now' },
      labels: { expired: 'When the paid period ends', now: 'Now (not supported by the provider yet)' },
      usual: 'expired',
    }),
    no_backup: flag({
      hint: 'Keep no snapshot of the server. A snapshot that is kept may be billed.',
      label: 'Without a snapshot',
    }),
  },
  capability: 'destroy',
  risk: 'destructive',
  step: cancelStep,
  plan: async ({ order: listed, when, no_backup }, context) => {
    const order = await readOrder(context.reader, listed);
    const target = orderTarget(order);
    const isServer = order.kind === 'vps';
    const power = (isServer ? await seeServers([order], context) : []).map(powerText);
    const account = await context.account();
    const { title, ends, effect, takesEffect } = wordsOf(order, when);
    const isLater = when === 'expired' && order.status !== 'unpaid';
    const saveBackup = isServer ? !no_backup : null;
    const until = dayNamed(order.expires) ?? null;
    const isDated = isLater && until !== null;
    return {
      title,
      // The paid period stays on the card after the end, unlike the details.
      subject: [isDated ? text(orderLine(order), ' · paid until ', sayDay(order.expires)) : orderLine(order)],
      effect,
      glance: dotted([
        ...power,
        order.status === 'active' ? '' : sayStatus(order.status),
        ends,
        kindWord(order) === 'domain' ? 'its web and mail stop' : 'everything on it is deleted',
        isServer ? (no_backup || order.status === 'unpaid' ? 'no snapshot is kept' : 'a snapshot is kept') : '',
        ...(isServer ? namesHere([order], { account, may: context.may }) : []),
      ]),
      details: [
        ['Takes effect', takesEffect],
        ['Lost', lostWith(order)],
        ['Power', power.join('')],
        ['Zone', zoneOf(order, account)],
        ...dependsOn([order], account, context),
        ['Backup', isServer ? backupOf(order, no_backup) : ''],
      ],
      facts: {
        ...markFacts(order),
        [`paid period of ${order.label}`]: order.expires,
        [`addresses of ${order.label}`]: order.addresses.toSorted(),
      },
      steps: [{ target, label: order.label, data: { id: order.id, name: order.label, when, saveBackup, until } }],
      typedName: order.label,
      ...(order.status === 'unpaid' ? {} : { isLater: true as const }),
      ...(isLater ? { isRevocable: true as const } : {}),
      nothingToDo: alreadySo(order, when),
    };
  },
  execute: async ({ id, when, saveBackup }, { provider }) => {
    const backup = saveBackup === null ? {} : { save_backup: saveBackup };
    const answered = await provider.orders.cancel({ order_id: id, when, ...backup });
    return { text: answered.message || answered.status, data: { status: answered.status } };
  },
  verify: async ({ id }, { reader }) => {
    // The documentation does not say whether a canceled order can still be read.
    const order = await ifReadable(reader.orders.read({ order_id: id }), 'not_found');
    if (order === undefined) return { is: 'so', text: 'the provider no longer has the order' };
    const { status, cancel_mark: isMarked } = order;
    if (status === 'canceled') return { is: 'so', text: isCanceled };
    if (isMarked === null) return unknownMark(status);
    return verdictOf(isMarked, 'the cancellation is set', `the cancellation is not set; the order is ${status}`);
  },
  done: ([step]) => {
    const { id, name, when, until = null } = step.data;
    const answered = z.object({ status: z.string() }).safeParse(step.receipt?.data).data?.status;
    // After a lost response, only the verdict shows whether the order is canceled or marked.
    if (answered === 'canceled' || step.verdict?.text === isCanceled) return { text: `${name} has ended` };
    const leaving = { [id]: true };
    if (when === 'now') return { text: `the provider has the order to delete ${name}; it may take a while`, leaving };
    const end = until === null ? 'with its paid period' : `on ${dayInWords(until)}`;
    return { text: `${name} ends ${end}`, undo: `keep ${id}`, leaving };
  },
});

/** The title says when a known day ends the order; `ends` is for the card, where the title does not say it. */
function wordsOf(order: FreshOrder, when: When) {
  const { label, status, expires } = order;
  const day = dayNamed(expires);
  if (status === 'unpaid')
    return {
      title: `End ${label} now`,
      ends: 'unpaid orders end at once',
      effect: 'The order is unpaid, so it ends at once. This cannot be undone.',
      takesEffect: 'Immediately, because the order is unpaid.',
    };
  if (when === 'now') {
    const orElse = day === undefined ? '' : text('; then it ends on ', sayDay(expires));
    return {
      title: `End ${label} now`,
      ends: text('the provider may refuse to delete it now', orElse),
      effect: 'Everything on it is deleted as soon as the provider works on it. This cannot be undone.',
      takesEffect: text('The provider may refuse to delete it now', orElse, '.'),
    };
  }
  const isDeleted = kindWord(order) === 'domain' ? '' : ', and everything on it is deleted';
  return {
    title: `End ${label}${day === undefined ? '' : ` on ${dayInWords(day)}`}`,
    ends: day === undefined ? 'it ends with its paid period, which is unknown' : '',
    effect: `It is not renewed. It ends with its paid period${isDeleted}.`,
    takesEffect:
      day === undefined
        ? 'Unknown: the provider does not say until when it is paid.'
        : text('On ', sayDay(expires), `. Until then, /host keep ${label} withdraws it.`),
  };
}

function lostWith(order: FreshOrder): string {
  const { addresses } = order;
  const noun = kindWord(order);
  if (noun === 'domain') return 'The registration of the domain. Web and mail under it stop.';
  if (order.kind === 'other') return `The ${noun} and all data in it.`;
  const lost = addresses.length === 1 ? ' and its address ' : addresses.length > 1 ? ' and its addresses ' : '';
  return `The ${noun}, all data on it${lost}${addresses.join(', ')}.`;
}

/** A domain's records are not part of its order, but they have no effect after it is canceled. */
function zoneOf(order: FreshOrder, account: Account): string {
  const names = [order.name, order.hostname].map((name) => name?.toLowerCase());
  const zone =
    order.kind === 'other' ? account.domains.find((domain) => names.includes(domain.name.toLowerCase())) : undefined;
  return zone === undefined ? '' : `${order.label} with ${count(zone.records.length, 'record')} is in this account.`;
}

function backupOf(order: FreshOrder, isWithout: boolean): string {
  if (order.status === 'unpaid') return 'None is to be expected: the order is unpaid.';
  if (isWithout) return 'None. The data is gone with the server.';
  return 'A snapshot is kept before the server is removed. Keeping it may be billed (--no-backup keeps none).';
}

function alreadySo(order: FreshOrder, when: When): string | undefined {
  if (order.status === 'canceled') return `${order.label} is canceled already.`;
  if (order.cancelMark !== true || when === 'now' || order.status === 'unpaid') return undefined;
  return `${order.label} is marked already: it ends with its paid period. /host keep ${order.label} withdraws that.`;
}

export const keep = defineAction({
  path: 'keep',
  words: `keep · uncancel · undelete | order · server | do not cancel · undo cancel · don't cancel · keep order ·
    undo cancellation · take cancellation back · cancellation undone · revoke cancellation · revoke termination ·
    withdraw cancellation · stop cancel · stop cancellation · not end order · don't cancel after all · not cancel
    after all · cancel cancellation`,
  title: 'Keep an order',
  summary: 'Withdraw the cancellation of an order',
  examples: ['keep web-1', 'keep 34-12345'],
  args: { order: anyOrder },
  capability: 'operate',
  risk: 'routine',
  step: z.object({ id: z.string(), name: z.string() }),
  plan: async ({ order: listed }, { reader, currency, now, may }) => {
    const order = await readOrder(reader, listed);
    if (order.status === 'canceled') {
      const text = `${order.label} is canceled already: that cannot be taken back.`;
      throw new Refusal('impossible', text, { field: 'order' });
    }
    const target = orderTarget(order);
    // The channel reads the card, so the price is shown only if the requester may spend.
    const costs = may('spend', target) ? monthly(order.costMonth, await currency()) : '';
    return {
      title: `Keep ${order.label}`,
      subject: [orderLine(order)],
      effect: 'The cancellation is removed, and the order continues as before.',
      details: [
        ['Paid until', paidUntil(order, now)],
        ['Costs', costs],
      ],
      facts: markFacts(order),
      steps: [{ target, label: order.label, data: { id: order.id, name: order.label } }],
      nothingToDo: order.cancelMark === false ? `${order.label} is not marked to be canceled.` : undefined,
    };
  },
  execute: ({ id }, { provider }) => sent(provider.orders.keep({ order_id: id })),
  verify: async ({ id }, { reader }) => {
    const { status, cancel_mark: isMarked } = await reader.orders.read({ order_id: id });
    if (isMarked === null) return unknownMark(status);
    return verdictOf(!isMarked, 'no cancellation is set', 'the cancellation is still set');
  },
  done: ([{ data }]) => ({ text: `${data.name} is kept`, leaving: { [data.id]: false } }),
});

function markFacts({ id, label, status, cancelMark }: FreshOrder): Record<string, string> {
  return {
    [`name of ${id}`]: label,
    [`status of ${label}`]: status,
    [`cancellation of ${label}`]: cancelMark === null ? 'unknown' : cancelMark ? 'marked' : 'none',
  };
}

function unknownMark(status: string): Verdict {
  return { is: 'unsure', text: `the order is ${status}; the provider does not show whether it is marked` };
}
