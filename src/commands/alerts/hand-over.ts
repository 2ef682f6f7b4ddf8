import { z } from 'zod';
import { channelTarget } from '../../core/account.ts';
import { searched } from '../../core/args.ts';
import type { BotReader } from '../../core/bot.ts';
import { defined } from '../../core/defined.ts';
import { Refusal } from '../../core/errors.ts';
import { person } from '../../core/slack-args.ts';
import type { Text } from '../../core/view.ts';
import { personNamed } from '../bot/one-named.ts';
import { defineAction } from '../define.ts';
import { alertHere } from './alert-here.ts';

/** It is said in the message of the alert and once in its thread, so it asks nobody. */
export const alertsHandOver = defineAction({
  path: 'alerts hand-over',
  title: 'Hand over an alert',
  summary: 'Put somebody else on an open alert',
  examples: ['alerts hand-over a1b2c3d4 @U012AB3CD', 'alerts hand-over e5f6g7h8 person=@U012AB3CD'],
  args: {
    alert: searched({ source: 'alerts-here', hint: 'The alert, chosen in /host alerts list.', example: 'a1b2c3d4' }),
    person: person({ hint: 'A person in this channel, who is mentioned once.' }),
  },
  pages: [['alert'], ['person']],
  capability: 'read',
  isAboutChannel: true,
  risk: 'safe',
  step: z.object({ alert: z.string(), to: z.string() }),
  plan: async ({ alert: wanted, person: word }, context) => {
    const { bot, channel } = context;
    const alert = await alertHere(wanted, context);
    const { id, finding, by, state } = alert;
    if (finding.isNews || alert.resolvedAt !== null) {
      throw new Refusal('impossible', `${finding.title}: this alert is not open, so there is nothing to hand over.`, {
        hint: 'See /host alerts list.',
        field: 'alert',
      });
    }
    const to = await personNamed(word, bot, 'person');
    await checkReader(to, bot);
    const target = channelTarget(channel);
    const present: Text = by === null ? 'nobody' : [{ user: by }];
    const isSame = state === 'acknowledged' && by === to;
    return {
      title: `Hand over the alert "${finding.title}"`,
      subject: [],
      targets: [target],
      effect: 'They are mentioned once, in the thread of the alert.',
      details: [
        ['To', [{ user: to }]],
        ['So far', state === 'acknowledged' ? present : 'nobody'],
      ],
      facts: { alert: id, by: state === 'acknowledged' ? by : null },
      steps: [{ target, label: '', data: { alert: id, to } }],
      ...defined({ nothingToDo: isSame ? `${await bot.nameOf(to)} is on it already.` : undefined }),
    };
  },
  execute: async ({ alert, to }, { bot }) => {
    if (await bot.alerts.handOver(alert, to)) return { text: '', data: null };
    throw new Refusal('changed', 'The alert is not open any more. Nothing was changed.');
  },
  verify: async ({ alert, to }, { bot }) => {
    const isSo = (await bot.alerts.find(alert))?.by === to;
    return { is: isSo ? 'so' : 'not', text: isSo ? 'the alert names them' : 'the alert does not name them' };
  },
  done: () => ({ text: 'The alert is handed over' }),
});

/** The new person has to read what happens to the alert. */
async function checkReader(user: string, bot: BotReader): Promise<void> {
  const [standing, isHere, name] = await Promise.all([bot.standing(user), bot.isHere(user), bot.nameOf(user)]);
  const why =
    standing === 'bot'
      ? `${name} is a bot, and an alert is handed over to a person.`
      : standing === 'deactivated'
        ? `The account of ${name} is deactivated.`
        : isHere === false
          ? `${name} is not in this channel.`
          : standing === 'unknown' || isHere === undefined
            ? `Slack does not say whether ${name} is in this channel.`
            : undefined;
  if (why === undefined) return;
  throw new Refusal('bad_value', why, { hint: 'Choose a person who is in this channel.', field: 'person' });
}
