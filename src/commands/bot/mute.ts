import { z } from 'zod';
import { channelTarget, type Target, tagTarget, targetKey } from '../../core/account/account.ts';
import { inAccount } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { endArgs, endOf } from '../../core/command/time-args.ts';
import { day, hour } from '../../core/text/words.ts';
import { text } from '../../core/view/view.ts';
import { defineAction, sent, verdictOf } from '../define.ts';
import { calledAlone, wordFor } from '../orders/taggable.ts';

const usual = 2 * hour;

const words = { hint: 'A server, a domain, another order, or a tag such as tag:web.', example: 'web-1' };
const target = {
  ...inAccount<Target>(words, 'taggable', (target) => target, {
    read: (words, reading) => {
      const tag = /^tag:(\S+)$/i.exec(words.join(' '))?.[1];
      if (tag !== undefined && reading.maySee(tagTarget(tag))) return tagTarget(tag);
      return calledAlone(words, reading, 'A mute is for one server, domain, order or tag.');
    },
    show: (target) => (target.id === '' ? scopeOf(target) : wordFor(target)),
  }),
  // Reading the name needs the right that muting needs, and a freeze of the target stops no mute.
  targets: () => [],
};
/** Everything, or hours: `mute alerts for 2h`, `mute 22:00-07:00`. */
const noTarget =
  /^(?:(?:all|alerts?|everything|none|for|from|between|at) ?\b)*(?:(?<=.)$|\d{1,2}(?::\d\d|[ap]m)|\d{1,2}-\d{1,2}$|\d+ ?(?:m|h|d|w|min|hours?|days?)\b)/i;

function scopeOf(target: Target): string {
  return target.id === '' ? `tag:${target.tags.join()}`.toLowerCase() : targetKey(target);
}

async function mutedAs(target: Target, { bot, channel }: ReadContext) {
  const scope = scopeOf(target);
  const muted = (await bot.mutes()).find((mute) => mute.scope === scope);
  return { scope, name: target.name || scope, muted, here: channelTarget(channel) };
}

const common = { capability: 'read', isAboutChannel: true, risk: 'safe' } as const;

/** A mute must be quick, so it needs no confirmation, and nor does its end. */
export const mute = defineAction({
  ...common,
  path: 'mute',
  words: `mute · silence · snooze · shut up · shush · hush · hold back | | make quiet · be quiet · keep quiet ·
    make silent · too much message · too many message · too noisy · stop alarm · no alarm · stop alert for · noise ·
    alert of · alert for · too much noise · no alert from`,
  title: 'Mute alerts',
  summary: 'Hold back the alerts of a server, domain, order or tag here, for a while',
  examples: ['mute web-1 2h because of kernel work', 'mute tag:web until="tomorrow 9am"'],
  alsoSays: ['alerts', 'alert', 'of'],
  otherwise: { path: 'alerts quiet', before: noTarget },
  args: { target, ...endArgs('How long, such as 2h, which is the default.', 7 * day) },
  step: z.object({ scope: z.string(), name: z.string(), until: z.number() }),
  plan: async ({ target, ...end }, context) => {
    const { scope, name, muted, here } = await mutedAs(target, context);
    const until = endOf(end, context.now);
    const data = { scope, name, until: until ?? context.now + usual };
    return {
      title: `Mute ${name}`,
      subject: [text('until ', { date: data.until, style: 'full' }, until === undefined ? ', the usual 2 hours' : '')],
      names: [target],
      effect:
        'Its alerts are not posted here. At the end, one line says what was held back, and what still holds is posted.',
      facts: { scope },
      steps: [{ target: here, data }],
      nothingToDo: muted && `${name} is muted already. /host freeze shows until when, and unmute ends it.`,
    };
  },
  execute: ({ name, scope, until }, { bot, channel }) =>
    sent(bot.freeze({ scope, until, mutedIn: channel }, `alerts of ${name} muted`)),
  verify: async ({ scope }, { bot }) => {
    const muted = (await bot.mutes()).find((mute) => mute.scope === scope);
    return verdictOf(muted !== undefined, muted?.reason && `reason: ${muted.reason}`, 'it is not muted');
  },
  done: ([{ data }]) => ({ text: `The alerts of ${data.name} are held back` }),
});

export const unmute = defineAction({
  ...common,
  path: 'unmute',
  words: `unmute · unsilence · unsnooze | | end mute · stop mute · remove mute · alert back on · make sound again ·
    end silence · un-snooze · again send alert`,
  title: 'End a mute',
  summary: 'Post alerts again before the end of a mute',
  examples: ['unmute web-1', 'unmute tag:web'],
  alone: 'freeze list',
  args: { target },
  step: z.object({ id: z.string(), name: z.string() }),
  plan: async ({ target }, context) => {
    const { scope, name, muted, here } = await mutedAs(target, context);
    return {
      title: `Unmute ${name}`,
      targets: [here],
      names: [target],
      effect: 'Its alerts are posted again.',
      facts: { scope },
      steps: muted === undefined ? [] : [{ target: here, data: { id: muted.id, name } }],
      nothingToDo: muted === undefined ? `${name} is not muted here. /host freeze shows what is.` : undefined,
    };
  },
  execute: ({ id, name }, { bot, channel }) => sent(bot.unfreeze({ id, mutedIn: channel }, `mute of ${name} ended`)),
  verify: async ({ id }, { bot }) => {
    const isOver = (await bot.mutes()).every((mute) => mute.id !== id);
    return verdictOf(isOver, '', 'it is muted');
  },
  done: () => ({ text: 'Its alerts are posted again' }),
});
