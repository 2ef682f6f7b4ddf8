import { optional, text } from '../../core/args.ts';
import type { CommandInfo } from '../../core/bot.ts';
import { Refusal } from '../../core/errors.ts';
import { nearest } from '../../core/nearest.ts';
import type { Part, View } from '../../core/view.ts';
import { defineQuery } from '../define.ts';

export const help = defineQuery({
  path: 'help',
  summary: 'What you may do here, and how each command is written',
  examples: ['help', 'help dns add'],
  args: { command: optional(text({ place: 'rest', hint: 'a command, or the first word of several' })) },
  capability: 'none',
  visibility: 'person',
  run: async ({ command }, { bot }) => {
    const all = await bot.commands();
    if (command === undefined) return overview(all.filter((known) => known.isAllowed));
    const wanted = command.toLowerCase().replace(/^\/?host\s+/, '');
    const exact = all.find((known) => known.path === wanted);
    if (exact) return details(exact, exact.isAllowed);
    const below = all.filter((known) => known.path.startsWith(`${wanted} `));
    if (below.length > 0) return overview(below);
    const near = nearest(
      wanted,
      all.map((known) => known.path),
    );
    throw new Refusal('not_found', `There is no command \`${command}\`.`, {
      hint: near ? `Did you mean \`${near}\`?` : 'See /host help.',
      ...(near ? { suggestions: [{ label: near, command: `help ${near}` }] } : {}),
    });
  },
});

/** Grouped by what they are about; only what this person may do. */
function overview(commands: readonly CommandInfo[]): View {
  const groups = Map.groupBy(commands, groupOf);
  const parts: Part[] = [{ kind: 'heading', text: 'What you may do here' }];
  for (const [group, members] of groups) {
    parts.push(
      { kind: 'text', text: [{ bold: group }] },
      { kind: 'code', text: members.map((one) => `${one.usage}\n    ${one.summary}`).join('\n') },
    );
  }
  parts.push({
    kind: 'context',
    text: 'Type /host before each. /host help restart tells more about one; /host why restart web-1 tells who may.',
  });
  return { summary: `${commands.length} commands`, parts };
}

const groupNames: Readonly<Record<string, string>> = {
  dns: 'DNS',
  ds: 'Dedicated servers',
  project: 'Projects',
  net: 'Private networks',
  tag: 'Orders',
};

const byCapability: Readonly<Record<string, string>> = {
  none: 'The bot',
  admin: 'The bot',
  billing: 'Account',
  organize: 'Orders',
};

function groupOf(command: CommandInfo): string {
  return groupNames[command.path.split(' ')[0] ?? ''] ?? byCapability[command.capability] ?? 'Servers and orders';
}

function details(command: CommandInfo, isAllowed: boolean): View {
  const parts: Part[] = [
    { kind: 'heading', text: command.path },
    { kind: 'text', text: `${command.summary}.` },
    { kind: 'code', text: `/host ${command.usage}` },
  ];
  if (command.args.length > 0) {
    parts.push({
      kind: 'fields',
      fields: command.args.map((arg) => [`${arg.name}${arg.optional ? ' (optional)' : ''}`, arg.hint] as const),
    });
  }
  parts.push(
    { kind: 'text', text: 'For example:' },
    { kind: 'code', text: command.examples.map((line) => `/host ${line}`).join('\n') },
  );
  const needs =
    command.capability === 'none' ? 'every member may ask this' : `needs ${command.capability}, risk ${command.risk}`;
  parts.push({ kind: 'context', text: `${needs}${isAllowed ? '' : '; you may not use it here'}` });
  if (isAllowed && command.args.length > 0) {
    parts.push({
      kind: 'buttons',
      buttons: [{ label: 'Fill in', intent: { do: 'form', line: command.path }, opens: true }],
    });
  }
  return { summary: `${command.path}: ${command.summary}`, parts };
}
