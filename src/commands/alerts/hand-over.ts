import { z } from 'zod';
import { channelTarget } from '../../core/account/account.ts';
import { searched } from '../../core/command/args.ts';
import type { BotReader } from '../../core/command/bot-port.ts';
import { person } from '../../core/command/slack-args.ts';
import { count } from '../../core/text/words.ts';
import { badValue, impossible, Refusal } from '../../core/view/errors.ts';
import { peopleIn } from '../../core/view/view.ts';
import { personNamed } from '../bot/one-named.ts';
import { defineAction, verdictOf } from '../define.ts';
import { alertsHere } from './list.ts';

/**
 * Hands over one alert, or all assigned alerts of one message. It needs no confirmation, since the message and its
 * thread show it.
 */
export const alertsHandOver = defineAction({
  path: 'alerts hand-over',
  words: `hand over · reassign · assign · pass on | alert · alarm | pass alarm on · give alert to · give alarm to ·
    take over alert`,
  isBehind: true,
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
  step: z.object({ alerts: z.array(z.string()), to: z.string() }),
  plan: async ({ alert: wanted, person: word }, context) => {
    const { bot, channel } = context;
    const matches = await alertsHere(wanted, context);
    const open = matches.filter(({ finding, resolvedAt }) => !finding.isNews && resolvedAt === null);
    const alerts = open.filter(({ state }) => matches.length === 1 || state === 'acknowledged');
    const [first] = alerts;
    if (first === undefined) {
      const what =
        matches.length > 1
          ? 'Nobody is on an open alert of this message'
          : `${matches[0].finding.title}: this alert is not open`;
      throw impossible(`${what}, so there is nothing to hand over.`, 'See /host alerts list.', 'alert');
    }
    const to = await personNamed(word, bot, 'person');
    await checkReader(to, bot);
    const onIt = alerts.flatMap(({ byUser, state }) => (byUser === null || state !== 'acknowledged' ? [] : [byUser]));
    const present = [...new Set(onIt)];
    const isSame = alerts.every(({ byUser, state }) => state === 'acknowledged' && byUser === to);
    const ids = alerts.map(({ id }) => id);
    return {
      title: `Hand over ${alerts.length === 1 ? `the alert "${first.finding.title}"` : count(alerts.length, 'alert')}`,
      effect: 'They are mentioned once, in the thread of the alert.',
      details: [
        ['To', [{ user: to }]],
        ['So far', present.length === 0 ? 'Nobody' : peopleIn(present)],
      ],
      facts: { alerts: ids, by: present },
      steps: [{ target: channelTarget(channel), data: { alerts: ids, to } }],
      nothingToDo: isSame ? `${await bot.nameOf(to)} is on it already.` : undefined,
    };
  },
  execute: async ({ alerts, to }, { bot }) => {
    if (await bot.alerts.handOver(alerts, to)) return { text: '', data: null };
    throw new Refusal('changed', 'The alert has ended. Nothing was changed.');
  },
  verify: async ({ alerts, to }, { bot }) => {
    const current = (await Promise.all(alerts.map((id) => bot.alerts.find(id)))).flat();
    // An alert that has ended keeps its last person.
    const isSo = current.every(({ resolvedAt, byUser }) => resolvedAt !== null || byUser === to);
    return verdictOf(isSo, 'the message names them', 'the message does not name them');
  },
  done: ([step]) => ({
    text: step?.data.alerts.length === 1 ? 'The alert is handed over' : 'The alerts are handed over',
  }),
});

/** The new person must be able to read the channel of the alert. */
async function checkReader(user: string, bot: BotReader): Promise<void> {
  const [membership, isHere, name] = await Promise.all([bot.membership(user), bot.isHere(user), bot.nameOf(user)]);
  const no = (why: string) => badValue(why, 'Choose a person who is in this channel.', 'person');
  if (membership === 'bot') throw no(`${name} is a bot, and an alert is handed over to a person.`);
  if (membership === 'deactivated') throw no(`The account of ${name} is deactivated.`);
  if (isHere === false) throw no(`${name} is not in this channel.`);
  if (membership === 'unknown' || isHere === undefined)
    throw no(`Slack does not say whether ${name} is in this channel.`);
}
