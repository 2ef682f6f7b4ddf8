import { z } from 'zod';
import { type Account, orderTarget } from '../../core/account/account.ts';
import { powerText, sayStatus } from '../../core/account/trouble.ts';
import { choice, flag, order, withDefault } from '../../core/command/args.ts';
import type { Plan, Verdict } from '../../core/plan/plan.ts';
import { count, dayInWords } from '../../core/text/words.ts';
import { dayNamed, sayDay } from '../../core/view/days.ts';
import { ProviderError } from '../../core/view/errors.ts';
import { dotted, type Text, text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { defineAction } from '../define.ts';
import { dependsOn, namesHere } from '../servers/glance.ts';
import { seeServers } from '../servers/see-servers.ts';
import { everyKind, type FreshOrder, kindWord, orderLine, readOrder } from './fresh.ts';

const cancelStep = z.object({
  id: z.string(),
  name: z.string(),
  when: z.enum(['expired', 'now']),
  /** Null if the provider never keeps a snapshot of this order: the field is not sent. */
  saveBackup: z.boolean().nullable(),
  /** The end of the paid period; null if the provider does not return it. */
  until: z.number().nullable().exactOptional(),
});

/** The verdict for a canceled order. */
const isCanceled = 'the order is canceled';

type When = z.infer<typeof cancelStep>['when'];

export const cancel = defineAction({
  path: 'cancel',
  title: 'End an order',
  summary: 'End an order: when its paid period ends, or as soon as the provider can',
  examples: ['cancel staging-1', 'cancel wiki-1 expired --no-backup'],
  args: {
    order: {
      ...order({
        hint: 'The order, by name, id, hostname or address. A request is called off on its card.',
        example: 'staging-1',
        kinds: everyKind,
      }),
      source: 'live-orders',
    },
    when: withDefault(
      choice({
        hint: 'When the paid period ends, or now. The provider does not support now yet.',
        of: ['expired', 'now'],
        also: { end: 'expired', later: 'expired', immediately: 'now' },
        labels: { expired: 'When the paid period ends', now: 'Now (not supported by the provider yet)' },
      }),
      'expired',
    ),
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
    return {
      title: titleOf(order, when),
      subject: [text(orderLine(order), when === 'expired' && order.status !== 'unpaid' ? paidUntilDay(order) : '')],
      targets: [target],
      effect: effectOf(order, when),
      glance: dotted([
        ...power,
        order.status === 'active' ? '' : sayStatus(order.status),
        endsWhen(order, when),
        kindWord(order) === 'domain' ? 'its web and mail stop' : 'everything on it is deleted',
        isServer ? (no_backup || order.status === 'unpaid' ? 'no snapshot is kept' : 'a snapshot is kept') : '',
        ...(isServer ? namesHere([order], { account, may: context.may }) : []),
      ]),
      details: [
        ['Takes effect', takesEffect(order, when)],
        ['Lost', lostWith(order)],
        ...power.map((state) => ['Power', state] as const),
        ...zoneOf(order, account),
        ...dependsOn([order], account, context).filter(([label]) => label !== 'Affected' || order.addresses.length > 0),
        ...(isServer ? [['Backup', backupOf(order, no_backup)] as const] : []),
      ],
      facts: {
        [`name of ${order.id}`]: order.label,
        [`status of ${order.label}`]: order.status,
        [`cancellation of ${order.label}`]:
          order.cancelMark === null ? 'unknown' : order.cancelMark ? 'marked' : 'none',
        [`paid period of ${order.label}`]: order.expires,
        [`addresses of ${order.label}`]: order.addresses.toSorted(),
      },
      steps: [
        {
          target,
          label: order.label,
          data: {
            id: order.id,
            name: order.label,
            when,
            saveBackup: isServer ? !no_backup : null,
            until: dayNamed(order.expires) ?? null,
          },
        },
      ],
      typedName: order.label,
      ...(order.status === 'unpaid' ? {} : { isLater: true as const }),
      ...(order.status !== 'unpaid' && when === 'expired' ? { isRevocable: true as const } : {}),
      ...alreadySo(order, when),
    };
  },
  execute: async ({ id, when, saveBackup }, { provider }) => {
    const answered = await provider.orders.cancel({
      order_id: id,
      when,
      ...(saveBackup === null ? {} : { save_backup: saveBackup }),
    });
    return { text: answered.message || answered.status, data: { status: answered.status } };
  },
  verify: (step, { reader }) => cancelVerdict(step.id, reader),
  done: ([step]) => {
    if (step === undefined) return { text: 'ended' };
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

/** The paid period, which stays on the card after the end, unlike the details. */
function paidUntilDay(order: FreshOrder): Text {
  return dayNamed(order.expires) === undefined ? '' : text(' · paid until ', sayDay(order.expires));
}

/** The title says when a known day ends it. */
function titleOf(order: FreshOrder, when: When): string {
  if (order.status === 'unpaid' || when === 'now') return `End ${order.label} now`;
  const day = dayNamed(order.expires);
  return `End ${order.label}${day === undefined ? '' : ` on ${dayInWords(day)}`}`;
}

/** For the card, where the title does not say it. */
function endsWhen(order: FreshOrder, when: When): Text {
  if (order.status === 'unpaid') return 'unpaid orders end at once';
  if (when === 'now') return text('the provider may refuse to delete it now', elseOn(order));
  return dayNamed(order.expires) === undefined ? 'it ends with its paid period, which is unknown' : '';
}

function elseOn(order: FreshOrder): Text {
  return dayNamed(order.expires) === undefined ? '' : text('; then it ends on ', sayDay(order.expires));
}

function effectOf(order: FreshOrder, when: When): string {
  if (order.status === 'unpaid') return 'The order is unpaid, so it ends at once. This cannot be undone.';
  if (when === 'now') return 'Everything on it is deleted as soon as the provider works on it. This cannot be undone.';
  const isDeleted = kindWord(order) === 'domain' ? '' : ', and everything on it is deleted';
  return `It is not renewed. It ends with its paid period${isDeleted}.`;
}

function takesEffect(order: FreshOrder, when: When): Text {
  if (order.status === 'unpaid') return 'Immediately, because the order is unpaid.';
  if (when === 'now') {
    return text('The provider may refuse to delete it now', elseOn(order), '.');
  }
  return dayNamed(order.expires) === undefined
    ? 'Unknown: the provider does not say until when it is paid.'
    : text('On ', sayDay(order.expires), `. Until then, /host keep ${order.label} withdraws it.`);
}

function lostWith(order: FreshOrder): string {
  const addresses =
    order.addresses.length === 0
      ? ''
      : ` and its ${order.addresses.length === 1 ? 'address' : 'addresses'} ${order.addresses.join(', ')}`;
  if (order.kind !== 'other') return `The ${kindWord(order)}, all data on it${addresses}.`;
  return kindWord(order) === 'domain'
    ? 'The registration of the domain. Web and mail under it stop.'
    : `The ${kindWord(order)} and all data in it.`;
}

/** A domain's records are not part of its order, but they have no effect after it is canceled. */
function zoneOf(order: FreshOrder, account: Account): readonly (readonly [string, string])[] {
  const names = [order.name, order.hostname].map((name) => name?.toLowerCase());
  const zone =
    order.kind === 'other' ? account.domains.find((domain) => names.includes(domain.name.toLowerCase())) : undefined;
  return zone === undefined
    ? []
    : [['Zone', `${order.label} with ${count(zone.records.length, 'record')} is in this account.`]];
}

function backupOf(order: FreshOrder, isWithout: boolean): string {
  if (order.status === 'unpaid') return 'None is to be expected: the order is unpaid.';
  return isWithout
    ? 'None. The data is gone with the server.'
    : 'A snapshot is kept before the server is removed. Keeping it may be billed (--no-backup keeps none).';
}

function alreadySo(order: FreshOrder, when: When): Pick<Plan<never>, 'nothingToDo'> {
  if (order.status === 'canceled') return { nothingToDo: `${order.label} is canceled already.` };
  if (order.cancelMark !== true || when === 'now' || order.status === 'unpaid') return {};
  return {
    nothingToDo: `${order.label} is marked already: it ends with its paid period. /host keep ${order.label} withdraws that.`,
  };
}

/** Reads whether an order is canceled or marked for cancellation. */
async function cancelVerdict(id: string, reader: Reader): Promise<Verdict> {
  try {
    const { status, cancel_mark: mark } = await reader.orders.read({ order_id: id });
    if (status === 'canceled') return { is: 'so', text: isCanceled };
    if (mark === null)
      return { is: 'unsure', text: `the order is ${status}; the provider does not show whether it is marked` };
    return {
      is: mark ? 'so' : 'not',
      text: mark ? 'the cancellation is set' : `the cancellation is not set; the order is ${status}`,
    };
  } catch (error) {
    // The documentation does not say whether a canceled order can still be read.
    if (error instanceof ProviderError && error.kind === 'not_found') {
      return { is: 'so', text: 'the provider no longer has the order' };
    }
    throw error;
  }
}
