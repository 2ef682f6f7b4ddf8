import { optional, text } from '../../core/command/args.ts';
import type { ListedCommand } from '../../core/command/bot-port.ts';
import { usage } from '../../core/grammar/usage.ts';
import { byArea } from '../../core/policy/areas.ts';
import { count, nearest, wordSet } from '../../core/text/words.ts';
import { notFound } from '../../core/view/errors.ts';
import { buttonRow, fieldsPart, formButton, menuPart, runButton, textPart, type View } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';

export const help = defineQuery({
  path: 'help',
  words: `help | manual · documentation · command · docs · example · tutorial · cheat sheet | what can you do · how
    to · i am new · how does it work · how i can · no understand · need help · what can i do · how do i · how can i ·
    how do we · who are you · what are you · what is this · how does this work · not understand · explain what you ·
    explain to me · what you can do · simple words · man · what mean · what does mean · meaning of · how to use ·
    syntax of · syntax for · option of`,
  title: 'Help',
  summary: 'Show what you may do here, and how each command is written',
  examples: ['help', 'help dns add'],
  args: { command: optional(text({ place: 'rest', hint: 'A command, or the first word of several.' })) },
  capability: 'none',
  run: async ({ command }, { bot }) => {
    const all = bot.commands();
    const allowed = all.filter(({ isAllowed }) => isAllowed);
    const typed = topicOf(command ?? '');
    if (typed === '') return overview(allowed);
    // `orders` and `account` are both commands and areas: `all orders` is the area.
    const wanted = typed.replace(/^all\s+/, '');
    const exact = typed === wanted ? all.find((command) => command.path === wanted) : undefined;
    const below = all.filter((command) => command.path.startsWith(`${wanted} `));
    // `alerts` is a command and also the first word of others.
    if (exact && below.length === 0) return details(exact);
    const area = byArea(allowed.filter(({ isBehind }) => isBehind !== true)).find(([name]) =>
      `${name.toLowerCase()} `.startsWith(`${wanted} `),
    );
    const group = area?.[1] ?? (exact ? [exact, ...below] : below);
    if (group.length > 0) return inFull(group, area?.[0] ?? wanted);
    const words = wanted.split(' ');
    // For a question such as `add dns record`, the longest command whose words it contains.
    const [spoken] = all
      .filter(({ path }) => path.split(' ').every((word) => words.includes(word)))
      .toSorted((a, b) => b.path.length - a.path.length);
    if (spoken !== undefined) return details(spoken);
    const family = all.filter((command) => words.length > 1 && command.path.startsWith(`${words[0]} `));
    if (family.length > 0) return inFull(family, words[0] ?? wanted);
    const near = nearest(wanted, [...all.map((command) => command.path), ...byArea(allowed).map(([name]) => name)]);
    // Several words are a question.
    if (near === undefined && words.length > 1) return overview(allowed);
    const why = `There is no command \`${command}\`.`;
    if (near === undefined) throw notFound(why, 'See /host help.');
    throw notFound(why, `Did you mean \`${near}\`?`, undefined, { label: near, command: `help ${near}` });
  },
});

/** `me with the dns` is about `dns`. */
function topicOf(typed: string): string {
  const words = typed
    .toLowerCase()
    .replace(/^\/?host\s+/, '')
    .split(/[\s?]+/);
  return words.filter((word) => !noise.has(word)).join(' ');
}

const noise = wordSet(' a an the me with about on my please i am new here need some');

/** Lines for nine tenths of the work, each with the command that it needs. */
const usual: readonly (readonly [path: string, line: string, more: string])[] = [
  ['status', 'status web-1', 'its state; list shows all'],
  ['restart', 'restart web-1', 'or tomorrow 4am, every monday 4am'],
  ['dns set', 'dns set www.example.com 192.0.2.11', 'dns undo takes it back, dns restore too'],
  ['requests', 'requests waiting', 'decide; scheduled lists what is planned'],
  ['alerts', 'alerts', 'open alerts; mute web-1 2h'],
  ['why', 'why restart web-1', 'your rights here, and who can'],
];

function overview(allowed: readonly ListedCommand[]): View {
  const commands = allowed.filter(({ isBehind }) => isBehind !== true);
  const listed = usual.filter(([path]) => allowed.some((command) => command.path === path));
  const width = Math.max(0, ...listed.map(([, line]) => line.length));
  const areas = byArea(commands).map(([area]) => runButton(area, `help all ${area.toLowerCase()}`));
  return {
    summary: count(commands.length, 'command'),
    parts: [
      { kind: 'heading', text: 'What you may do here' },
      { kind: 'code', text: listed.map(([, line, more]) => `/host ${line.padEnd(width)}  ${more}`).join('\n') },
      {
        kind: 'context',
        text: 'Type it the way you say it. A missing argument opens a form. Add a reason after because. /host help restart explains one command.',
      },
      ...menuPart('All commands by area', areas),
    ],
  };
}

function inFull(commands: readonly ListedCommand[], title: string): View {
  const others = commands.filter(({ isAllowed }) => !isAllowed).map(({ path }) => path);
  return {
    summary: `${title}: ${count(commands.length, 'command')}`,
    parts: [
      { kind: 'heading', text: title },
      { kind: 'code', text: commands.map((command) => `/host ${usage(command)}\n    ${command.summary}`).join('\n') },
      ...textPart('context', others.length === 0 ? '' : `You may not use here: ${others.join(', ')}.`),
      {
        kind: 'context',
        text: `Arguments in <…> are required, those in […] are optional. Missing arguments open a form. /host help ${commands[0]?.path ?? 'restart'} shows examples.`,
      },
    ],
  };
}

function details(command: ListedCommand): View {
  const { path, summary, capability, risk, isAllowed, examples } = command;
  const [first, second] = examples;
  // A command without arguments has only one form, so its other example shows a mention in a thread.
  const other = first === second ? `@Hostler ${first}    in a thread` : `/host ${second}`;
  // The usage line omits arguments that only buttons set.
  const args = Object.entries(command.args).filter(([, arg]) => !arg.isTypedOnly);
  const needs = capability === 'none' ? 'Every member may use it.' : `It needs “${capability}”; its risk is ${risk}.`;
  const reason =
    risk === 'safe'
      ? ''
      : ' Add because and a reason at the end, and an hour anywhere: tomorrow 4am, in 2h, every monday 4am, in the maintenance window, later.';
  const fields = args.map(([name, { optional, hint }]) => [`${name}${optional ? ' (optional)' : ''}`, hint] as const);
  return {
    summary: `${path}: ${summary}`,
    parts: [
      { kind: 'heading', text: path },
      { kind: 'text', text: `${summary}.` },
      { kind: 'code', text: `/host ${usage(command)}` },
      ...fieldsPart(fields),
      { kind: 'text', text: 'For example:' },
      { kind: 'code', text: `/host ${first}\n${other}` },
      { kind: 'context', text: `${needs}${reason}${isAllowed ? '' : ' You may not use it here.'}` },
      ...buttonRow(isAllowed && fields.length > 0 ? [formButton('Fill in', path)] : []),
    ],
  };
}
