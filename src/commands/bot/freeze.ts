import { z } from 'zod';
import { channelTarget, emptyAccount } from '../../core/account/account.ts';
import { type Arg, optional, text as textArg } from '../../core/command/args.ts';
import { endArgs, endOf } from '../../core/command/time-args.ts';
import { isInScope, maySeeScope, sayScope, targetsNamed } from '../../core/policy/freeze-scope.ts';
import { NotOne } from '../../core/targets/not-one.ts';
import { count, day, list } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { formButton, menuPart, runButton, type Text, text } from '../../core/view/view.ts';
import { defineAction, defineList, sent, verdictOf } from '../define.ts';
import { sayStopped } from './say-stopped.ts';

const scopeSchema = z
  .string()
  .regex(/^(here|all|tag:\S+)$/i, {
    error: ({ input }) => `here, all, or tag:${/^[\w-]{1,40}$/.test(String(input)) ? input : 'web'}`,
  })
  .transform((word) => word.toLowerCase());

const typedScope = textArg({ hint: 'Where: here, all, or a tag such as tag:web.', schema: scopeSchema });
/** Asks back with the tag that a bare word may name. The account is not read: a freeze has to work without the provider. */
const scopeArg: Arg<string> = {
  ...typedScope,
  read: (words, reading) => {
    const word = words.join(' ');
    try {
      return typedScope.read(words, reading);
    } catch (error) {
      if (!(error instanceof Refusal) || !/^[\p{L}_-]{1,40}$/u.test(word)) throw error;
      const tag = `tag:${word.toLowerCase()}`;
      throw new NotOne('not_found', error.text, error.hint ?? '', [{ label: `Freeze ${tag}`, values: [tag] }]);
    }
  },
};

/** A freeze must be quick, so it needs no confirmation; ending one does. */
export const freeze = defineAction({
  path: 'freeze',
  words: `freeze · block | change · deploy · moratorium | change freeze · no change · no deploy · no one change ·
    nobody change · nobody may change · change moratorium · hands off channel · nobody should touch`,
  title: 'Freeze actions',
  summary: 'Block all actions here, on a tag, or everywhere, for a while',
  examples: ['freeze here "release under way" 2h', 'freeze tag:web "migration"'],
  alone: 'freeze list',
  args: {
    scope: scopeArg,
    reason: textArg({
      place: 'rest',
      isForPeople: true,
      after: ['because'],
      hint: 'Everybody who is stopped by the freeze reads it.',
      schema: z.string().min(1).max(200, 'at most 200 characters'),
    }),
    ...endArgs('How long, such as 2h. The default is a day.', 30 * day),
  },
  capability: 'operate',
  isAboutChannel: true,
  risk: 'safe',
  step: z.object({ scope: z.string(), reason: z.string(), until: z.number() }),
  plan: async ({ scope, reason, ...end }, context) => {
    const { bot, channel, now } = context;
    const until = endOf(end, now) ?? now + day;
    if (scope === 'all' && !bot.isAdmin) {
      const hint = 'Freeze this channel with `freeze here`, or a tag.';
      throw new Refusal('not_admin', 'Only an admin can freeze everything.', { hint, field: 'scope' });
    }
    const key = scope === 'here' ? `channel:${channel}` : scope;
    const existing = (await bot.freezes()).find((candidate) => candidate.scope.toLowerCase() === key.toLowerCase());
    const stopped = await sayStopped(context, ({ isPatient, startsAt, channel, targets }) => {
      return !isPatient && startsAt < until && isInScope(key, channel, targets);
    });
    return {
      title: `Freeze ${scope === 'here' ? 'this channel' : scope === 'all' ? 'everything' : scope}`,
      subject: [[reason, ' · until ', { date: until, style: 'full' }], ...stopped.lines],
      names: [...targetsNamed(key), ...stopped.names],
      effect:
        'No action starts there. A step that is running is followed to its end, and no further step begins. Reads still work.',
      facts: { scope: key },
      steps: [{ target: channelTarget(channel), data: { scope: key, reason, until } }],
      nothingToDo:
        existing && `It is frozen already: ${existing.reason}. End that freeze first; /host freeze shows it.`,
    };
  },
  execute: async ({ scope, reason, until }, { bot }) => {
    const id = await bot.freeze({ scope, reason, until, mutedIn: null }, `${sayScope(scope)} frozen`);
    return { text: '', data: { id } };
  },
  verify: async ({ scope }, { bot }) => {
    const isThere = (await bot.freezes()).some((candidate) => candidate.scope === scope);
    return verdictOf(isThere, '', 'the freeze is not in force');
  },
  done: ([{ data }]) => ({ text: `Frozen: ${data.reason}` }),
});

export const freezeList = defineList({
  path: 'freeze list',
  words: `| freeze · frozen · change block | are we frozen · is frozen · what is frozen · anything frozen · freeze
    still · nobody may change anything · what is blocked · make changes again · locked down`,
  title: 'Freezes',
  summary: 'List what is frozen or muted, by whom and until when',
  isBehind: true,
  capability: 'none',
  list: async (_, { bot, channel, may, account }, show) => {
    const freezes = (await bot.freezes()).filter(({ scope }) => maySeeScope(scope, { channel, may }));
    const mutes = await bot.mutes();
    // Both work without the provider.
    const names = mutes.length === 0 ? emptyAccount : await account().catch(() => emptyAccount);
    const visible = [...freezes, ...mutes];
    return show({
      all: visible,
      columns: [{ name: 'What' }, { name: 'Why' }, { name: 'By' }],
      row: ({ scope, reason, byUser, until, mutedIn }) => [
        mutedIn === null ? scopeText(scope) : `${sayScope(scope, names)} muted`,
        reason,
        [{ user: byUser }, ' until ', until === null ? 'somebody ends it' : { date: until, style: 'full' }],
      ],
      none: 'Nothing is frozen or muted.',
      total: list([
        ...(freezes.length > 0 || mutes.length === 0 ? [count(freezes.length, 'freeze')] : []),
        ...(mutes.length > 0 ? [count(mutes.length, 'mute')] : []),
      ]),
      buttons: [formButton('Freeze…', 'freeze here'), formButton('Mute…', 'mute')],
      after: menuPart('End', [
        ...freezes.map(({ id, scope, reason }) => runButton(`${sayScope(scope)}: ${reason}`, `unfreeze ${id}`)),
        ...mutes.map(({ scope }) => runButton(`Mute of ${sayScope(scope, names)}`, `unmute ${scope}`)),
      ]),
    });
  },
});

export const unfreeze = defineAction({
  path: 'unfreeze',
  words: `unfreeze · thaw · unblock | | stop the freeze · lift freeze · end freeze · stop freeze · remove freeze ·
    cancel freeze · freeze off · lift change freeze · finish the freeze · make changes again · stop to block ·
    thaw out`,
  title: 'End a freeze',
  summary: 'End a freeze',
  examples: ['unfreeze', 'unfreeze tag:web'],
  args: {
    freeze: optional(textArg({ hint: 'Here, a tag such as tag:web, or chosen in /host freeze. The default is here.' })),
  },
  capability: 'operate',
  isAboutChannel: true,
  risk: 'routine',
  step: z.object({ id: z.string() }),
  plan: async ({ freeze: wanted }, { bot, channel, actor }) => {
    const all = await bot.freezes();
    const scope = wanted === undefined || /^here$/i.test(wanted) ? `channel:${channel}` : wanted.toLowerCase();
    const existing = all.find((each) => each.id === scope || each.scope.toLowerCase() === scope.toLowerCase());
    const here = channelTarget(channel);
    const own = existing === undefined ? [] : [existing];
    if (own.some(({ byUser }) => byUser !== actor) && !bot.isAdmin)
      throw new Refusal('not_yours', 'Only the person who froze it, or an admin, can end this freeze.');
    return {
      title: 'End the freeze',
      targets: [here],
      names: own.flatMap(({ scope }) => targetsNamed(scope)),
      subject: own.map(({ scope, reason, byUser }) => text(scopeText(scope), ` · ${reason} · by `, { user: byUser })),
      effect: 'Actions can start again.',
      facts: { id: existing?.id ?? null },
      steps: own.map(({ id }) => ({ target: here, data: { id } })),
      nothingToDo: existing ? undefined : 'There is no such freeze. /host freeze shows those that are in force.',
    };
  },
  execute: ({ id }, { bot }) => sent(bot.unfreeze({ id, mutedIn: null }, `freeze ${id} ended`)),
  verify: async ({ id }, { bot }) => {
    const isOver = (await bot.freezes()).every((candidate) => candidate.id !== id);
    return verdictOf(isOver, '', 'the freeze is still in force');
  },
  done: () => ({ text: 'The freeze is over' }),
});

function scopeText(scope: string): Text {
  return scope.startsWith('channel:') ? [{ channel: scope.slice('channel:'.length) }] : sayScope(scope);
}
