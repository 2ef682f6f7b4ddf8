import { z } from 'zod';
import { channelTarget } from '../../core/account/account.ts';
import { hookKinds, postedKinds } from '../../core/alert/alert.ts';
import { choice, searched, text } from '../../core/command/args.ts';
import type { BotReader } from '../../core/command/bot-port.ts';
import { count } from '../../core/text/words.ts';
import { impossible, notFound } from '../../core/view/errors.ts';
import { formButton, menuPart, runButton } from '../../core/view/view.ts';
import { defineAction, defineQuery, listView, verdictOf } from '../define.ts';
import { revocation } from '../revocation.ts';

export const alertsHook = defineQuery({
  path: 'alerts hook',
  words: `| webhook · hook · incoming alarm · inbound monitoring | alert webhook · where monitoring sends · where
    should post`,
  title: 'Hooks',
  summary: 'List the addresses to which monitoring posts for this channel',
  capability: 'admin',
  isAboutChannel: true,
  run: async (_, { bot, channel }) => {
    const hooks = await bot.alerts.hooks(channel);
    const revoking = hooks.map(({ id, name, kind }) => runButton(`${name} (${kind})`, `alerts hook revoke ${id}`));
    return listView({
      all: hooks,
      columns: [{ name: 'Name' }, { name: 'Made by' }, { name: 'Last used' }],
      row: (hook) => [
        `${hook.name} (${hook.kind})`,
        [{ user: hook.createdBy }],
        hook.usedAt === null ? 'never' : [{ date: hook.usedAt, style: 'full' }],
      ],
      instead: 'No hook posts here yet.',
      total: hooks.length === 0 ? 'No hook posts here.' : count(hooks.length, 'hook'),
      foot: () =>
        'The kind json takes {"id": "disk-db-1", "title": "Disk of db-1 is full", "status": "firing"}; also text, severity (info, warning, critical), startsAt, group, host and link, or several as {"alerts": […]}.',
      buttons: [formButton('New hook…', 'alerts hook add')],
      after: menuPart('Revoke a hook', revoking),
    });
  },
});

/** `sender`: who posts to the address. */
export function mustBeReachable({ alerts }: BotReader, sender: string): void {
  if (alerts.isReachable) return;
  const hint = `Set it to the address at which ${sender} reaches this bot, and start it again.`;
  throw impossible('Nothing outside can reach the bot: HOSTLER_PUBLIC_URL is not set.', hint);
}

const change = { isBehind: true, capability: 'admin', isAboutChannel: true, risk: 'routine' } as const;

export const alertsHookAdd = defineAction({
  ...change,
  path: 'alerts hook add',
  title: 'Create a hook',
  summary: 'Create an address for monitoring; its token is shown to you once',
  examples: ['alerts hook add alertmanager prometheus', 'alerts hook add json "backup script"'],
  args: {
    kind: choice({
      also: { prometheus: 'alertmanager', uptimekuma: 'kuma' },
      of: hookKinds,
      hint: 'The sender: alertmanager, grafana, kuma, healthchecks, or json for anything else.',
    }),
    name: text({
      place: 'rest',
      isForPeople: true,
      hint: 'Its purpose.',
      example: 'prometheus',
      schema: z.string().trim().min(1).max(60, 'at most 60 characters'),
    }),
  },
  step: z.object({ channel: z.string(), kind: z.enum(hookKinds), name: z.string() }),
  plan: async ({ kind, name }, { bot, channel }) => {
    mustBeReachable(bot, 'monitoring');
    const hooks = await bot.alerts.hooks(channel);
    return {
      title: `Create the ${kind} hook ${name}`,
      effect: 'Anybody who has its address can post alerts here. The address is shown to you once.',
      facts: { kind, name, hooks: hooks.map(({ id }) => id) },
      steps: [{ target: channelTarget(channel), label: name, data: { channel, kind, name } }],
    };
  },
  execute: async (hook, { bot }) => {
    const { id, url } = await bot.alerts.addHook(hook);
    return { text: '', data: { id }, secret: { title: `The address of the hook ${hook.name}`, value: url } };
  },
  verify: async ({ channel, name }, { bot }) => {
    const isThere = (await bot.alerts.hooks(channel)).some((hook) => hook.name === name);
    return verdictOf(isThere, 'the hook is there', 'the hook is not there');
  },
  done: (steps) => ({
    text: `The hook ${steps[0]?.data.name ?? ''} is created; its address is in a direct message to the person who asked`,
  }),
});

const { find, plan, ...revoked } = revocation(postedKinds);

export const alertsHookRevoke = defineAction({
  ...change,
  ...revoked,
  path: 'alerts hook revoke',
  title: 'Revoke a hook',
  summary: 'Revoke a hook: posts to its address are refused from then on',
  examples: ['alerts hook revoke a1b2c3d4', 'alerts hook revoke hook=a1b2c3d4'],
  args: {
    hook: searched({ source: 'alert-hooks', hint: 'The hook; /host alerts hook lists them.', example: 'a1b2c3d4' }),
  },
  plan: async ({ hook: wanted }, context) => {
    const hook = await find(wanted, context);
    if (hook === undefined)
      throw notFound(`No hook \`${wanted.slice(0, 40)}\` posts here.`, 'See /host alerts hook.', 'hook');
    return {
      title: `Revoke the hook ${hook.name}`,
      subject: [[`${hook.kind} · made by `, { user: hook.createdBy }]],
      effect: 'Posts to its address are refused from now on. Alerts that came from it stay.',
      ...plan(hook),
    };
  },
  done: () => ({ text: 'The hook is revoked' }),
});
