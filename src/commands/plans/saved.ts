import { z } from 'zod';
import { channelTarget } from '../../core/account/account.ts';
import { text } from '../../core/command/args.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { placeholdersIn, splitLines } from '../../core/grammar/plan-lines.ts';
import { count } from '../../core/text/words.ts';
import { badValue, impossible, notFound } from '../../core/view/errors.ts';
import { dotted, formButton, menuOf, runButton } from '../../core/view/view.ts';
import { defineAction, defineList, sent, verdictOf } from '../define.ts';
import { linesArg } from './plan.ts';

/** The saved plans of a channel: its runbooks. */

const mostSaved = 50;
const nameSchema = z
  .string()
  .toLowerCase()
  .regex(/^(?!(?:save|list|delete)$)[a-z][a-z0-9-]{0,30}$/, 'a short name in lower case such as failover');
const called = text({ label: 'Name', hint: 'A short name.', example: 'failover', schema: nameSchema });

const step = z.object({
  name: z.string(),
  lines: z.array(z.string()).nullable(),
  before: z.array(z.string()).nullable(),
});

const common = {
  capability: 'none',
  risk: 'safe',
  isAboutChannel: true,
  step,
  execute: ({ name, lines, before }, { bot, channel }) => sent(bot.savePlan(channel, { name, lines, before })),
  verify: async ({ name, lines }, { bot }) => {
    const saved = (await bot.savedPlans()).find((plan) => plan.name === name);
    return verdictOf(JSON.stringify(saved?.lines ?? null) === JSON.stringify(lines), '', 'it was changed meanwhile');
  },
} as const satisfies Partial<Parameters<typeof defineAction<Record<never, never>, z.infer<typeof step>>>[0]>;

async function savedAs(name: string, { bot }: Pick<ReadContext, 'bot'>) {
  const all = await bot.savedPlans();
  return { all, saved: all.find((plan) => plan.name === name) };
}

export const planSave = defineAction({
  ...common,
  path: 'plan save',
  words: 'save · store · keep | plan · runbook | plan store · save runbook · new runbook',
  title: 'Save a plan',
  summary: 'Save a plan of this channel under a name, with placeholders such as {server}',
  examples: [
    'plan save failover "dns set example.com www A {address} then restart {server}"',
    'plan save drill "stop web-2 then start web-2"',
  ],
  args: { called, lines: linesArg },
  plan: async ({ called: name, lines: typed }, context) => {
    const lines = typed.flatMap(splitLines);
    const { all, saved } = await savedAs(name, context);
    if (context.bot.commands().some(({ path }) => path.split(' ')[0] === name))
      throw badValue(`\`${name}\` is a command.`, 'Give the plan another name.', 'name');
    await context.bot.mayEditPlan([...lines, ...(saved?.lines ?? [])]);
    if (saved === undefined && all.length >= mostSaved)
      throw impossible(`This channel has ${mostSaved} saved plans.`, 'Delete one with `plan delete`.');
    const before = saved === undefined ? null : [...saved.lines];
    const open = placeholdersIn(lines);
    return {
      title: `Save the plan ${name}`,
      subject: lines.map((line) => [{ code: line }]),
      targets: [channelTarget(context.channel)],
      effect:
        saved === undefined
          ? 'Everybody here can ask for it, under the rules of its lines.'
          : 'It replaces the plan of this name.',
      details: [['Placeholders', open.join(', ')]],
      facts: { lines, before },
      steps: [{ target: channelTarget(context.channel), data: { name, lines: [...lines], before } }],
      nothingToDo: before?.join('\n') === lines.join('\n') ? `${name} is saved like this already.` : undefined,
    };
  },
  done: ([{ data }]) => ({ text: `The plan ${data.name} is saved` }),
});

export const planDelete = defineAction({
  ...common,
  path: 'plan delete',
  words: 'delete · remove | plan · runbook | remove runbook · delete runbook',
  title: 'Delete a saved plan',
  summary: 'Delete a saved plan of this channel',
  examples: ['plan delete failover', 'plan delete drill'],
  args: { called },
  plan: async ({ called: name }, context) => {
    const { saved } = await savedAs(name, context);
    if (saved === undefined) throw notFound(`This channel has no saved plan ${name}.`, '`/host plan list` shows them.');
    await context.bot.mayEditPlan(saved.lines);
    return {
      title: `Delete the plan ${name}`,
      subject: saved.lines.map((line) => [{ code: line }]),
      targets: [channelTarget(context.channel)],
      effect: 'Its name asks for nothing then.',
      facts: { before: [...saved.lines] },
      steps: [{ target: channelTarget(context.channel), data: { name, lines: null, before: [...saved.lines] } }],
    };
  },
  done: ([{ data }]) => ({ text: `The plan ${data.name} is deleted` }),
});

export const planList = defineList({
  path: 'plan list',
  words:
    '| saved plan · runbooks · saved plans | plans here · list plan · which plans · list runbook · show runbook · which runbook',
  title: 'Saved plans',
  summary: 'List the saved plans of this channel',
  examples: ['plan list', 'plan list page=1'],
  isAboutChannel: true,
  capability: 'none',
  list: async (_, { bot }, show) => {
    const all = await bot.savedPlans();
    return show({
      all,
      columns: [{ name: 'Name' }, { name: 'Lines' }, { name: 'Saved' }],
      row: ({ name, lines, by, at }) => [
        name,
        count(lines.length, 'line'),
        dotted([[{ user: by }], [{ date: at, style: 'full' }]]),
      ],
      none: 'No plan is saved here.',
      total: count(all.length, 'saved plan'),
      buttons: [formButton('Save a plan…', 'plan save')],
      below: (shown) => menuOf('Ask for one', shown, ({ name }) => formButton(name, `plan ${name}`)),
      after: menuOf('Delete one', all, ({ name }) => runButton(`Delete ${name}`, `plan delete ${name}`)),
    });
  },
});
