import { z } from 'zod';
import { accountTarget, channelTarget } from '../../core/account/account.ts';
import { hashOf } from '../../core/text/json.ts';
import { maskAddress } from '../../core/text/strike-secrets.ts';
import { sayDay } from '../../core/view/days.ts';
import { hadNoEffect } from '../../core/view/errors.ts';
import { buttonRow, dotted, fieldsPart, runButton, type Text, text } from '../../core/view/view.ts';
import { mustBeReachable } from '../alerts/hook.ts';
import { type CommandContext, defineAction, defineQuery, verdictOf } from '../define.ts';

export const ticketWebhook = defineQuery({
  path: 'ticket webhook',
  words: '| ticket webhook',
  title: 'Ticket comments',
  summary: 'Show where the provider posts new comments in tickets',
  isAccountWide: () => true,
  capability: 'tickets',
  run: async (_, context) => {
    const seen = await webhookNow(context);
    const { last_error_date: day, last_error_message: message } = seen;
    const error = day === null ? message : text(sayDay(day), `: ${message ?? 'no reason given'}`);
    return {
      summary: 'Where comments in tickets are posted',
      parts: [
        ...fieldsPart([
          ['Posts to', seen.destination],
          ['Last error', error ?? 'None'],
        ]),
        {
          kind: 'context',
          text: 'There is one address per account. What is posted there is not signed, so it is shown as plain text only.',
        },
        ...buttonRow([
          runButton('Post here', 'ticket webhook set'),
          ...(seen.url === null ? [] : [runButton('Switch off', 'ticket webhook off')]),
        ]),
      ],
    };
  },
});

const change = {
  isAccountWide: () => true,
  capability: 'tickets',
  risk: 'disruptive',
  step: z.object({ channel: z.string(), before: z.string().nullable() }),
} as const;

type SeenWebhook = Awaited<ReturnType<typeof webhookNow>>;

function replacing(seen: SeenWebhook, channel: string, verb: 'replaces' | 'removes') {
  const isForeign = seen.url !== null && seen.own === undefined;
  const why = `This ${verb} an address that somebody else set: ${seen.masked}.`;
  return {
    facts: seen.facts,
    steps: [{ target: accountTarget, label: 'ticket webhook', data: { channel, before: seen.own?.id ?? null } }],
    ...(isForeign ? { raised: { risk: 'dangerous', why } as const } : {}),
  };
}

export const ticketWebhookSet = defineAction({
  ...change,
  path: 'ticket webhook set',
  title: 'Post ticket comments',
  summary: 'Post new comments in tickets to this channel',
  isAboutChannel: true,
  plan: async (_, context) => {
    const { bot, channel } = context;
    mustBeReachable(bot, 'the provider');
    const seen = await webhookNow(context);
    return {
      title: 'Post comments in tickets to this channel',
      targets: [accountTarget, channelTarget(channel)],
      effect:
        'The provider posts new comments to an address of this bot. Comments on a ticket that another channel opened are posted there.',
      glance: dotted([
        `so far: ${seen.destination}`,
        'also comments on tickets that other channels opened',
        'not signed: a post needs only the address, which is shown to nobody',
      ]),
      details: [
        ['So far', seen.destination],
        ['Not signed', 'Anybody who knows the address can post. It holds a token that is shown to nobody.'],
      ],
      ...replacing(seen, channel, 'replaces'),
      nothingToDo:
        seen.own?.channel === channel ? 'Comments in tickets are posted to this channel already.' : undefined,
    };
  },
  execute: async ({ channel, before }, { provider, bot }) => {
    const { id, url } = await bot.alerts.addHook({ channel, kind: 'ticket', name: 'support tickets' });
    try {
      await provider.tickets.setWebhook({ url });
    } catch (error) {
      if (hadNoEffect(error)) await bot.alerts.revokeHook(id);
      throw error;
    }
    if (before !== null) await bot.alerts.revokeHook(before);
    return { text: '', data: { id } };
  },
  verify: async ({ channel }, context) => {
    const seen = await webhookNow(context);
    const where = seen.own === undefined ? seen.masked : 'another channel';
    const so = 'the provider has the address of this channel';
    return verdictOf(seen.own?.channel === channel, so, `the provider posts to ${where}`);
  },
  done: () => ({ text: 'Comments in tickets are posted to this channel' }),
});

export const ticketWebhookOff = defineAction({
  ...change,
  path: 'ticket webhook off',
  title: 'Stop ticket comments',
  summary: 'Stop posting comments in tickets',
  plan: async (_, context) => {
    const seen = await webhookNow(context);
    return {
      title: 'Switch off the ticket webhook',
      effect: 'The provider posts comments nowhere. It may still send mail.',
      details: [['So far', seen.destination]],
      ...replacing(seen, context.channel, 'removes'),
      nothingToDo: seen.url === null ? 'Comments in tickets are posted nowhere.' : undefined,
    };
  },
  execute: async ({ before }, { provider, bot }) => {
    await provider.tickets.setWebhook({ url: '' });
    if (before !== null) await bot.alerts.revokeHook(before);
    return { text: '', data: null };
  },
  verify: async (_, { reader }) =>
    verdictOf((await reader.tickets.webhook()).url === null, 'no address is set', 'an address is still set'),
  done: () => ({ text: 'The ticket webhook is switched off' }),
});

async function webhookNow({ reader, bot }: Pick<CommandContext, 'reader' | 'bot'>) {
  const webhook = await reader.tickets.webhook();
  const { url } = webhook;
  const own = url === null ? undefined : await bot.hookAt(url);
  // Without its path, which may be its only protection.
  const masked = url === null ? 'nothing' : maskAddress(url);
  const elsewhere = url === null ? 'nowhere' : masked;
  const destination: Text = own === undefined ? elsewhere : ['this bot, for ', { channel: own.channel }];
  // A change of the address voids an approval; the address itself may be a secret.
  const facts = { 'address so far': url === null ? 'none' : hashOf(url).slice(0, 16) };
  return { ...webhook, own, masked, destination, facts };
}
