import { z } from 'zod';
import { channelTarget, domainTarget, orderTarget, type Target, targetKey } from '../../core/account/account.ts';
import { inAccount, text as textArg } from '../../core/command/args.ts';
import { isGuarded } from '../../core/policy/protection.ts';
import { count } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import { dotted, formButton, menuOf, runButton, text } from '../../core/view/view.ts';
import { defineAction, defineList, sent, verdictOf } from '../define.ts';
import { calledAlone, wordFor } from '../orders/taggable.ts';
import { sayStopped } from './say-stopped.ts';

const words = { hint: 'A server, a domain or a bucket, by name.', example: 'web-1' };
const target = inAccount<Target>(words, 'taggable', (target) => target, {
  read: (words, reading) => calledAlone(words, reading, 'A pin is for one server, domain or bucket.'),
  show: wordFor,
});

/** A pin must be quick, so it needs no confirmation; removing one needs what destroying the target needs. */
export const pin = defineAction({
  path: 'pin',
  words: `pin · protect · lock · guard · safeguard · put protection | | never touch · do not touch · don't touch ·
    no one must touch · never switched off · nobody may touch · never stop · server enable protection · nobody
    should delete · nobody may delete · extra approver`,
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
  plan: async ({ target, why }, context) => {
    const { bot, channel } = context;
    const protectionOf = await bot.protections();
    const existing = protectionOf(target);
    const key = targetKey(target);
    const stopped = await sayStopped(
      context,
      ({ risk, isRun, state, targets }) =>
        (isGuarded(risk) || isRun || state === 'standing') && targets.some((each) => targetKey(each) === key),
    );
    return {
      title: `Pin ${target.name}`,
      subject: [why, ...stopped.lines],
      names: [target, ...stopped.names],
      effect:
        'What may destroy it needs one approver more and the typed name, and runs for it alone. Nothing else changes.',
      facts: { target: key },
      steps: [{ target: channelTarget(channel), data: { target: key, name: target.name, why } }],
      nothingToDo: existing && `${target.name} is pinned already: ${existing.why}. /host pins shows it.`,
    };
  },
  execute: (step, { bot, actor }) => sent(bot.protect({ ...step, by: actor })),
  verify: async ({ target }, { bot }) => verdictOf((await bot.protectedKeys()).has(target), '', 'it is not pinned'),
  done: ([{ data }]) => ({ text: `To destroy ${data.name} now needs one approver more` }),
});

export const unpin = defineAction({
  path: 'unpin',
  words: `unpin · unprotect | | remove pin · delete pin · take off pin · take pin off · server disable protection ·
    lift protection · deletion guard · no longer needs protection`,
  title: 'Remove a pin',
  summary: 'Remove a pin, with the approvals that destroying its target would need',
  examples: ['unpin web-1', 'unpin domain:example.com'],
  args: { target: { ...target, place: 'rest' as const } },
  capability: 'operate',
  risk: 'destructive',
  step: z.object({ target: z.string(), name: z.string(), since: z.number() }),
  plan: async ({ target }, { bot, channel }) => {
    const { name } = target;
    const existing = (await bot.protections())(target);
    const { by = null, since = null, why = null } = existing ?? {};
    const key = targetKey(target);
    if (existing !== undefined && (by === null || since === null))
      throw new Refusal('impossible', text(`The policy of `, { channel: existing.channel }, ` pins ${name}.`), {
        hint: 'An admin removes it in the policy file, with `hostler policy apply`.',
      });
    const plan = {
      title: `Remove the pin of ${name}`,
      targets: [channelTarget(channel)],
      names: [target],
      effect: 'What may destroy it then needs only what the rule of the channel says.',
      typedName: name,
      facts: { target: key, since, why },
    };
    if (by === null || since === null)
      return { ...plan, steps: [], nothingToDo: `${name} is not pinned. /host pins shows what is.` };
    return {
      ...plan,
      subject: [text(`${signs.protected} ${why} · pinned by `, { user: by })],
      steps: [{ target: channelTarget(channel), data: { target: key, name, since } }],
    };
  },
  execute: (step, { bot }) => sent(bot.unprotect(step)),
  verify: async ({ target }, { bot }) => verdictOf(!(await bot.protectedKeys()).has(target), '', 'it is pinned'),
  done: ([{ data }]) => ({ text: `The pin of ${data.name} is removed` }),
});

export const pins = defineList({
  path: 'pins',
  words: `| pin · pinned · protected · protected resource | is pinned · are pinned · what is pinned · pin list ·
    list pin · who pinned · which server are pinned · what server are pinned · who set them · have protection ·
    specially protected · what can't be destroyed · what can't be deleted`,
  title: 'Pins',
  summary: 'List what is pinned, by whom and why',
  isBehind: true,
  capability: 'read',
  list: async (_, { bot, account, may }, show) => {
    const [protectionOf, { orders, domains }] = await Promise.all([bot.protections(), account()]);
    const pinned = [...orders.map(orderTarget), ...domains.map(domainTarget)].flatMap((target) => {
      const pin = may('read', target) ? protectionOf(target) : undefined;
      return pin === undefined ? [] : [{ target, pin }];
    });
    const removable = pinned.filter(({ pin }) => pin.by !== null);
    return show({
      all: pinned,
      columns: [{ name: 'What' }, { name: 'Why' }, { name: 'By' }],
      row: ({ target, pin }) => [
        `${signs.protected} ${target.name}`,
        pin.why,
        dotted([
          pin.by === null ? ['the policy of ', { channel: pin.channel }] : [{ user: pin.by }],
          pin.since === null ? '' : [{ date: pin.since, style: 'full' }],
        ]),
      ],
      none: 'Nothing that you may see here is pinned.',
      total: count(pinned.length, 'pin'),
      buttons: [formButton('Pin…', 'pin')],
      after: menuOf('Remove a pin', removable, ({ target }) =>
        runButton(`Remove the pin of ${target.name}`, `unpin ${wordFor(target)}`),
      ),
    });
  },
});
