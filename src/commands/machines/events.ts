import { z } from 'zod';
import { channelTarget } from '../../core/account/account.ts';
import type { HookInfo } from '../../core/alert/alert.ts';
import { searched, text } from '../../core/command/args.ts';
import { maskAddress } from '../../core/text/strike-secrets.ts';
import { count } from '../../core/text/words.ts';
import { badValue, notFound } from '../../core/view/errors.ts';
import { formButton, menuOf, runButton } from '../../core/view/view.ts';
import { defineAction, defineList, verdictOf } from '../define.ts';
import { revocation } from '../revocation.ts';

/** Addresses to which the bot posts the events of a channel. */

const common = { capability: 'admin', risk: 'routine', isAboutChannel: true } as const;
const most = 10;
const kinds: readonly HookInfo['kind'][] = ['events'];

export const eventsAdd = defineAction({
  ...common,
  path: 'events add',
  words: 'add · post · send · forward | event · outgoing webhook · event webhook | post events to · send events to',
  title: 'Post events',
  summary: 'Post the events of this channel to an address: requests, their ends, and alerts',
  examples: ['events add https://siem.example.com/hostler', 'events add "https://status.example.com/in?key=1"'],
  args: {
    address: text({
      hint: 'A public https address. Each post is signed.',
      example: 'https://siem.example.com/hostler',
      schema: z.string().trim().min(1).max(500, 'at most 500 characters'),
    }),
  },
  step: z.object({ channel: z.string(), address: z.string() }),
  plan: async ({ address }, { bot, channel }) => {
    const why = bot.alerts.whyNoEvents(address);
    if (why !== undefined) throw badValue(why, 'Give a public https address that takes posts.', 'address');
    const all = await bot.alerts.hooks(channel, kinds);
    if (all.length >= most) throw badValue(`Events are posted to ${most} addresses.`, 'Remove one of them.', 'address');
    const masked = maskAddress(address);
    return {
      title: 'Post the events of this channel',
      subject: [masked],
      effect:
        'It gets each request, who asked, how it ended, and each alert. The secret of the signatures is shown to you once.',
      facts: { hooks: all.map(({ id }) => id) },
      steps: [{ target: channelTarget(channel), label: masked, data: { channel, address } }],
      nothingToDo: all.some((hook) => hook.address === address) ? 'Events are posted there already.' : undefined,
    };
  },
  execute: async ({ channel, address }, { bot }) => {
    const hook = { channel, kind: 'events', name: maskAddress(address), address } as const;
    const { id, url } = await bot.alerts.addHook(hook);
    return { text: '', data: { id }, secret: { title: 'The secret of the signatures', value: url } };
  },
  verify: async ({ channel, address }, { bot }) => {
    const isThere = (await bot.alerts.hooks(channel, kinds)).some((hook) => hook.address === address);
    return verdictOf(isThere, '', 'the address is not there');
  },
  done: () => ({ text: 'Events are posted; the secret is in a direct message to the person who asked' }),
});

const { find, plan, ...revoked } = revocation(kinds);

export const eventsRemove = defineAction({
  ...common,
  ...revoked,
  path: 'events remove',
  words: 'remove · delete · stop | event · event webhook · outgoing webhook | stop events',
  title: 'Stop posting events',
  summary: 'Stop posting events to an address',
  examples: ['events remove a1b2c3d4', 'events remove hook=a1b2c3d4'],
  args: {
    hook: searched({ source: 'event-hooks', hint: 'The address; /host events lists them.', example: 'a1b2c3d4' }),
  },
  plan: async ({ hook: wanted }, context) => {
    const hook = await find(wanted, context);
    if (hook === undefined) throw notFound('No events are posted there.', 'See /host events.', 'hook');
    return {
      title: 'Stop posting events',
      subject: [[`${hook.name} · added by `, { user: hook.createdBy }]],
      effect: 'It hears of nothing from now on.',
      ...plan(hook),
    };
  },
  done: () => ({ text: 'Events are no longer posted there' }),
});

export const eventsList = defineList({
  ...common,
  path: 'events',
  words: '| event · event webhook · outgoing webhook | where are events posted · list event',
  title: 'Addresses of events',
  summary: 'List the addresses to which the bot posts the events of this channel',
  examples: ['events', 'events page=1'],
  list: async (_, { bot, channel }, show) => {
    const all = await bot.alerts.hooks(channel, kinds);
    return show({
      all,
      columns: [{ name: 'Address' }, { name: 'Added by' }, { name: 'Since' }],
      row: ({ name, createdBy, createdAt }) => [name, [{ user: createdBy }], [{ date: createdAt, style: 'full' }]],
      none: 'Events of this channel are posted nowhere.',
      total: count(all.length, 'address', 'addresses'),
      buttons: [formButton('New address…', 'events add')],
      after: menuOf('Remove one', all, ({ id, name }) => runButton(name, `events remove ${id}`)),
    });
  },
});
