import { z } from 'zod';
import { channelTarget, domainTarget, orderTarget, type Target, targetKey } from '../../core/account/account.ts';
import { type CommonArg, scalar, text as textArg } from '../../core/command/args.ts';
import type { Reading } from '../../core/targets/targets.ts';
import { count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import { dotted, text } from '../../core/view/view.ts';
import { formButton, menuPart, runButton } from '../buttons.ts';
import { defineAction, defineQuery } from '../define.ts';
import { listView } from '../list.ts';
import { called, taggableTarget } from '../orders/taggable.ts';

const mostListed = 50;

/** A server, a domain, or another order such as a bucket. */
function pinnable(common: CommonArg) {
  return {
    ...scalar<Target>(common, 'search', readOne, wordFor),
    source: 'taggable',
    isName: true,
    needsAccount: true,
    targets: (target: Target) => [target],
  };
}

function readOne(words: readonly string[], reading: Reading): Target {
  const [item, ...others] = called(words.join(' ').trim(), reading);
  if (item !== undefined && others.length === 0) return taggableTarget(item);
  throw new Refusal('bad_value', 'A pin is for one server, domain or bucket.', { hint: 'Name one.' });
}

/** An order may have the name of a domain. */
function wordFor({ kind, id }: Target): string {
  return kind === 'domain' ? `domain:${id}` : id;
}

const target = pinnable({ hint: 'A server, a domain or a bucket, by name.', example: 'web-1' });

/** A pin must be quick, so it needs no confirmation; removing one needs what destroying the target needs. */
export const pin = defineAction({
  path: 'pin',
  title: 'Pin',
  summary: 'Protect a server, domain or bucket: to destroy it needs one approver more',
  examples: ['pin web-1 "the shop runs on it"', 'pin domain:example.com because all mail goes there'],
  alone: 'pins',
  args: {
    target,
    why: textArg({
      place: 'rest',
      isForPeople: true,
      after: ['because'],
      alsoCalled: ['reason'],
      hint: 'Everybody who asks to change it reads this.',
      example: 'the shop runs on it',
      schema: z.string().trim().min(1, 'a text that is not empty').max(200, 'at most 200 characters'),
    }),
  },
  capability: 'operate',
  risk: 'safe',
  step: z.object({ target: z.string(), name: z.string(), why: z.string() }),
  plan: async ({ target, why }, { bot, channel }) => {
    const pinOf = await bot.pins();
    const existing = pinOf(target);
    const key = targetKey(target);
    return {
      title: `Pin ${target.name}`,
      subject: [why],
      targets: [channelTarget(channel)],
      names: [target],
      effect:
        'What may destroy it needs one approver more and the typed name, and runs for it alone. Nothing else changes.',
      details: [],
      facts: { target: key },
      steps: [{ target: channelTarget(channel), label: '', data: { target: key, name: target.name, why } }],
      ...(existing ? { nothingToDo: `${target.name} is pinned already: ${existing.why}. /host pins shows it.` } : {}),
    };
  },
  execute: async (step, { bot, actor }) => {
    await bot.pin({ ...step, by: actor });
    return { text: '', data: null };
  },
  verify: async ({ target }, { bot }) => sayWhether(await isSet(target, bot), true),
  done: ([step]) => ({ text: `To destroy ${step?.data.name ?? 'it'} now needs one approver more` }),
});

export const unpin = defineAction({
  path: 'unpin',
  title: 'Remove a pin',
  summary: 'Remove a pin, with the approvals that destroying its target would need',
  examples: ['unpin web-1', 'unpin domain:example.com'],
  args: { target: { ...target, place: 'rest' as const } },
  capability: 'operate',
  risk: 'destructive',
  step: z.object({ target: z.string(), name: z.string(), since: z.number() }),
  plan: async ({ target }, { bot, channel }) => {
    const existing = (await bot.pins())(target);
    const key = targetKey(target);
    if (existing !== undefined && (existing.by === null || existing.since === null))
      throw new Refusal('impossible', text(`The policy of `, { channel: existing.channel }, ` pins ${target.name}.`), {
        hint: 'An admin removes it in the policy file, with `hostler policy apply`.',
      });
    const plan = {
      targets: [channelTarget(channel)],
      names: [target],
      effect: 'What may destroy it then needs only what the rule of the channel says.',
      details: [],
      typedName: target.name,
      facts: { target: key, since: existing?.since ?? null, why: existing?.why ?? null },
    };
    if (existing?.by === undefined || existing.by === null || existing.since === null)
      return {
        ...plan,
        title: `Remove the pin of ${target.name}`,
        subject: [],
        steps: [],
        nothingToDo: `${target.name} is not pinned. /host pins shows what is.`,
      };
    return {
      ...plan,
      title: `Remove the pin of ${target.name}`,
      subject: [text(`${signs.pinned} ${existing.why} · pinned by `, { user: existing.by })],
      steps: [
        { target: channelTarget(channel), label: '', data: { target: key, name: target.name, since: existing.since } },
      ],
    };
  },
  execute: async (step, { bot }) => {
    await bot.unpin(step);
    return { text: '', data: null };
  },
  verify: async ({ target }, { bot }) => sayWhether(await isSet(target, bot), false),
  done: ([step]) => ({ text: `The pin of ${step?.data.name ?? 'it'} is removed` }),
});

export const pins = defineQuery({
  path: 'pins',
  title: 'Pins',
  summary: 'List what is pinned, by whom and why',
  examples: ['pins', 'pins'],
  isBehind: true,
  args: {},
  capability: 'read',
  visibility: 'person',
  run: async (_, { bot, account, may }) => {
    const [pinOf, { orders, domains }] = await Promise.all([bot.pins(), account()]);
    const pinned = [...orders.map(orderTarget), ...domains.map(domainTarget)].flatMap((target) => {
      const pin = may('read', target) ? pinOf(target) : undefined;
      return pin === undefined ? [] : [{ target, pin }];
    });
    const more = pinned.length - mostListed;
    return listView({
      all: pinned.slice(0, mostListed),
      columns: [{ name: 'What' }, { name: 'Why' }, { name: 'By' }],
      row: ({ target, pin }) => [
        `${signs.pinned} ${target.name}`,
        pin.why,
        dotted([
          pin.by === null ? ['the policy of ', { channel: pin.channel }] : [{ user: pin.by }],
          pin.since === null ? '' : [{ date: pin.since, style: 'full' }],
        ]),
      ],
      none: 'Nothing that you may see here is pinned.',
      total: count(pinned.length, 'pin'),
      foot: () => (more > 0 ? `and ${more} more` : ''),
      buttons: [formButton('Pin…', 'pin')],
      after: menuPart(
        'Remove a pin',
        pinned
          .filter(({ pin }) => pin.by !== null)
          .map(({ target }) => runButton(`Remove the pin of ${target.name}`, `unpin ${wordFor(target)}`)),
      ),
    });
  },
});

async function isSet(key: string, bot: { readonly pinned: () => Promise<ReadonlySet<string>> }): Promise<boolean> {
  return (await bot.pinned()).has(key);
}

function sayWhether(isThere: boolean, isWanted: boolean): { is: 'so' | 'not'; text: string } {
  if (isThere === isWanted) return { is: 'so', text: '' };
  return { is: 'not', text: isThere ? 'it is pinned' : 'it is not pinned' };
}
