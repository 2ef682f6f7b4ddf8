import { z } from 'zod';
import { channelTarget } from '../../core/account/account.ts';
import type { HookInfo } from '../../core/alert/alert.ts';
import { type Arg, flag, text } from '../../core/command/args.ts';
import { span } from '../../core/command/time-args.ts';
import { count, day, hour } from '../../core/text/words.ts';
import { badValue, notFound, Refusal } from '../../core/view/errors.ts';
import { dotted, formButton, menuOf, runButton, type Text } from '../../core/view/view.ts';
import { defaultOf, optionalOf } from '../args.ts';
import { defineAction, defineList, verdictOf } from '../define.ts';
import { revocation } from '../revocation.ts';

/** Tokens with which machines ask as the person who made them, in the channel in which they were made. */

const longest = 365 * day;
const mostTokens = 50;
const nameSchema = z
  .string()
  .toLowerCase()
  .regex(/^[a-z][a-z0-9-]{0,30}$/, 'a short name in lower case such as ci');
const called = text({ label: 'Name', hint: 'A short name of the machine.', example: 'ci', schema: nameSchema });

const toggle = flag({ hint: 'Whether it may ask for changes. Each waits for a person.' });
/** `token add ci deploys writes` */
const mayWrite: Arg<boolean> = {
  ...toggle,
  read: (words, reading) => words[0] === 'writes' || toggle.read(words, reading),
  trails: (words) => words.join(' ') === 'writes',
};

const common = { capability: 'none', risk: 'routine', isAboutChannel: true } as const;

/** `ci · deploys · @ana · asks for changes` */
export function sayToken({ name, purpose, createdBy, mayWrite }: HookInfo): Text {
  return dotted([name, purpose ?? '', [{ user: createdBy }], mayWrite === 1 ? 'asks for changes' : 'reads only']);
}

export const tokenAdd = defineAction({
  ...common,
  path: 'token add',
  words: 'add · create · make · new · issue | token · api token · api key · machine token | give machine access',
  title: 'Create a token',
  summary: 'Make a token with which a machine asks as you, in this channel; it is shown to you once',
  examples: ['token add ci "deploys of the shop"', 'token add agent "night shift" for=30d writes'],
  args: {
    called,
    purpose: optionalOf(text)({
      place: 'rest',
      isForPeople: true,
      hint: 'What the machine does.',
      example: 'deploys',
      schema: z.string().trim().min(1).max(80, 'at most 80 characters'),
    }),
    for: defaultOf(span)({
      hint: 'How long it is valid, at most 365d.',
      example: '90d',
      after: ['for'],
      place: 'option',
      minMs: hour,
      maxMs: longest,
      usual: 90 * day,
    }),
    writes: mayWrite,
  },
  step: z.object({ name: z.string(), purpose: z.string(), forMs: z.number(), mayWrite: z.boolean() }),
  plan: async ({ called: name, purpose = '', for: forMs, writes }, { bot, channel, now }) => {
    const all = await bot.alerts.hooks(channel, ['token']);
    if (all.some((token) => token.name === name))
      throw badValue(`This channel has a token ${name}.`, 'Revoke it, or choose another name.', 'called');
    if (all.length >= mostTokens)
      throw new Refusal('impossible', `This channel has ${mostTokens} tokens.`, { hint: 'Revoke one of them.' });
    return {
      title: `Create the token ${name}`,
      subject: [
        dotted([purpose, writes ? 'asks for changes' : 'reads only', ['until ', { date: now + forMs, style: 'day' }]]),
      ],
      effect: writes
        ? 'It asks as you here. Each change waits for a person, under the rules of this channel.'
        : 'It reads here as you, and asks for no change.',
      facts: { name, tokens: all.map(({ id }) => id) },
      steps: [{ target: channelTarget(channel), label: name, data: { name, purpose, forMs, mayWrite: writes } }],
    };
  },
  execute: async ({ name, purpose, forMs, mayWrite }, { bot, channel, now }) => {
    const more = { expiresAt: now + forMs, mayWrite: mayWrite ? 1 : 0 };
    const { id, url } = await bot.alerts.addHook({ channel, kind: 'token', name, purpose, ...more });
    return { text: '', data: { id }, secret: { title: `The token ${name}`, value: url } };
  },
  verify: async ({ name }, { bot, channel }) => {
    const isThere = (await bot.alerts.hooks(channel, ['token'])).some((token) => token.name === name);
    return verdictOf(isThere, '', 'the token is not there');
  },
  done: ([{ data }]) => ({
    text: `The token ${data.name} is made; it is in a direct message to the person who asked`,
  }),
});

const { find, plan, ...revoked } = revocation(['token']);

export const tokenRevoke = defineAction({
  ...common,
  ...revoked,
  path: 'token revoke',
  words: 'revoke · remove · delete · cancel | token · api token · api key | block machine',
  title: 'Revoke a token',
  summary: 'Revoke a token: its calls are refused from then on, and its waiting requests end',
  examples: ['token revoke ci', 'token revoke agent'],
  args: { called },
  plan: async ({ called: name }, context) => {
    const token = await find(name, context);
    if (token === undefined)
      throw notFound(`This channel has no token ${name}.`, '`/host token list` shows them.', 'called');
    if (token.createdBy !== context.actor && !context.bot.isAdmin)
      throw new Refusal('not_yours', 'Only the person who made it, or an admin, can revoke this token.');
    return {
      title: `Revoke the token ${name}`,
      subject: [sayToken(token)],
      effect: 'Its calls are refused from now on, and its requests that wait for a decision end.',
      ...plan(token),
    };
  },
  done: () => ({ text: 'The token is revoked' }),
});

export const tokenList = defineList({
  path: 'token list',
  words: '| token · api token · tokens · machine · machines | which token · list token · who has token',
  title: 'Tokens',
  summary: 'List the tokens with which machines ask in this channel',
  examples: ['token list', 'token list page=1'],
  isAboutChannel: true,
  capability: 'none',
  list: async (_, { bot, channel, now }, show) => {
    const all = await bot.alerts.hooks(channel, ['token']);
    const when = (at: number | null, never: string): Text => (at === null ? never : [{ date: at, style: 'full' }]);
    return show({
      all,
      columns: [{ name: 'Token' }, { name: 'Until' }, { name: 'Last used' }],
      row: (token) => [
        sayToken(token),
        (token.expiresAt ?? now) <= now ? 'expired' : when(token.expiresAt, ''),
        when(token.usedAt, 'never'),
      ],
      none: 'No machine has a token of this channel.',
      total: count(all.length, 'token'),
      buttons: [formButton('New token…', 'token add')],
      after: menuOf('Revoke one', all, ({ name }) => runButton(name, `token revoke ${name}`)),
    });
  },
});
