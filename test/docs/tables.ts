import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { alertRules } from '../../src/alerts/all.ts';
import { loadCommands } from '../../src/commands/load-commands.ts';
import { defaultRules, risks } from '../../src/core/policy/policy.ts';
import { sayRule } from '../../src/core/policy/say-rule.ts';
import { sayDuration } from '../../src/core/text/words.ts';
import { plain } from '../../src/core/view/view.ts';
import { genericAlert } from '../../src/engine/hooks/hook-bodies.ts';
import { createMetrics, createProcessMetrics } from '../../src/http/metrics.ts';
import { createRoutes } from '../../src/http/routes.ts';
import { type Setting, settings } from '../../src/settings.ts';
import { type SlackSurface, surfaces } from '../../src/slack/outbound/pen.ts';
import { methods, type WebMethod } from '../../src/slack/web.ts';
import { commandTable } from './command-table.ts';
import { exitTable, reasonTable } from './machine-tables.ts';
import { markdownTable } from './markdown-table.ts';
import { operationTable } from './operation-table.ts';
import { type Use, usedBlocks, usedElements } from './used-blocks.ts';

/** Tables that the code writes into the documentation, between two comments that name them. */
export interface DocTable {
  readonly file: string;
  readonly name: string;
  readonly write: () => Promise<string> | string;
}

export const docTables: readonly DocTable[] = [
  { file: 'docs/commands.md', name: 'commands', write: async () => commandTable(await loadCommands()) },
  { file: 'docs/permissions.md', name: 'risks', write: riskTable },
  { file: 'docs/security.md', name: 'scopes', write: scopeTable },
  { file: 'docs/settings.md', name: 'settings', write: settingTable },
  { file: 'docs/alerts.md', name: 'rules', write: ruleTable },
  { file: 'docs/alerts.md', name: 'json', write: jsonHookTable },
  { file: 'docs/metrics.md', name: 'metrics', write: metricTable },
  { file: 'docs/slack.md', name: 'blocks', write: useTable },
  { file: 'docs/slack.md', name: 'methods', write: methodTable },
  { file: 'docs/provider.md', name: 'operations', write: operationTable },
  { file: 'docs/machines.md', name: 'exits', write: exitTable },
  { file: 'docs/machines.md', name: 'reasons', write: reasonTable },
];

/** The text between the comments, and the document with a new text. */
export function between(document: string, name: string): { text: string; replaced: (table: string) => string } {
  const opening = `<!-- ${name}: npm run docs -->\n\n`;
  const closing = `\n\n<!-- /${name} -->`;
  const from = document.indexOf(opening) + opening.length;
  const to = document.indexOf(closing);
  if (from < opening.length || to < from) throw new Error(`the comments around the table ${name} are missing`);
  return { text: document.slice(from, to), replaced: (table) => document.slice(0, from) + table + document.slice(to) };
}

function settingTable(): string {
  return markdownTable(
    ['Setting', 'Meaning', 'Default', 'Example'],
    Object.entries<Setting<unknown>>(settings).map(([name, { about, isRequired, otherwise = '', example }]) => [
      `\`${name}\``,
      about,
      isRequired ? '**required**' : otherwise,
      example === otherwise ? '' : `\`${example}\``,
    ]),
  );
}

const metric = z.object({ name: z.string(), help: z.string(), type: z.string() });

export async function metricRows(): Promise<{ name: string; help: string; type: string }[]> {
  const metrics = createMetrics();
  // The gauges of the routes read the other parts when /metrics is requested; the table needs their names only.
  const anything: object = new Proxy(() => anything, { get: () => anything });
  createRoutes({ ...anything, metrics, store: anything, running: anything } as Parameters<typeof createRoutes>[0]);
  return metrics.registry
    .getMetricsAsArray()
    .map((one) => metric.parse({ ...one, type: one.constructor.name.toLowerCase() }));
}

function ruleTable(): string {
  return markdownTable(
    ['Alert rule', 'Every', 'Fires when', 'Usual thresholds', 'Clears when', 'Offers'],
    alertRules.map(({ name, everyMs, fires, thresholds, clears, sample }) => {
      const { offers, rightAs } = sample(0);
      return [
        `\`${name}\``,
        sayDuration(everyMs),
        fires,
        thresholds === undefined ? '' : `${thresholds.usual.join(', ')} ${thresholds.unit}`,
        clears,
        [...offers.map(({ label }) => label), ...(rightAs === undefined ? [] : [rightAs.label])].join(', '),
      ];
    }),
  );
}

const jsonSchema = z.object({
  required: z.array(z.string()),
  properties: z.record(
    z.string(),
    z.object({
      description: z.string(),
      enum: z.array(z.string()).optional(),
      format: z.string().optional(),
      maxLength: z.number().optional(),
      default: z.string().optional(),
    }),
  ),
});

const formats: Readonly<Record<string, string>> = {
  'date-time': 'a time such as `2026-01-31T09:30:00Z`',
  uri: 'an http or https address',
};

function jsonHookTable(): string {
  const { required, properties } = jsonSchema.parse(z.toJSONSchema(genericAlert, { io: 'input' }));
  return markdownTable(
    ['Field', 'Value', 'Default', 'Meaning'],
    Object.entries(properties).map(([name, { description, enum: of, format = '', maxLength, default: otherwise }]) => [
      `\`${name}\``,
      of?.map((word) => `\`${word}\``).join(', ') ??
        formats[format] ??
        `a text of at most ${maxLength?.toLocaleString('en')} characters`,
      required.includes(name) ? '**required**' : otherwise === undefined ? '' : `\`${otherwise}\``,
      description,
    ]),
  );
}

/** The build metric of a separate registry, without the metrics of Node. */
function buildRow() {
  const build = createProcessMetrics('0.0.0').getSingleMetric('hostler_build_info');
  return metric.parse({ ...build, type: 'gauge' });
}

async function metricTable(): Promise<string> {
  return markdownTable(
    ['Metric', 'Meaning'],
    [...(await metricRows()), buildRow()].map(({ name, help, type }) => [
      `\`${name}\``,
      type === 'histogram' ? `${help} (histogram)` : help,
    ]),
  );
}

/** A row for each replacement, with the blocks and elements that have it. */
function useTable(): string {
  const uses = Object.entries<Use>({ ...usedBlocks, ...usedElements }).toSorted(([a], [b]) => a.localeCompare(b));
  return markdownTable(
    ['Block or element', 'On', 'If Slack refuses it'],
    [...Map.groupBy(uses, ([, { on, instead }]) => `${on} ${instead}`).values()].flatMap((same) =>
      same.slice(0, 1).map(([, { on, instead }]) => [names(same.map(([type]) => type)), sayOn(on), instead]),
    ),
  );
}

const names = (all: readonly string[]) => all.map((name) => `\`${name}\``).join(', ');

function sayOn(on: readonly SlackSurface[]): string {
  if (on.length === surfaces.length) return 'all';
  return on.length > 1 ? 'messages' : on.join();
}

const fromLadder = 'plainer, in the end plain text';
const asRight = 'it counts as a no';

/** A method that is called and has no word here does not compile. */
const whenRefused: Readonly<Record<WebMethod, string>> = {
  'auth.test': 'the bot does not start, and says why',
  'chat.delete': 'a message that was posted twice keeps its copy',
  'chat.getPermalink': 'the bot names the request without a link',
  'chat.postEphemeral': `${fromLadder}; if the person or the bot is not in the channel, the \`response_url\`, then a direct message`,
  'chat.postMessage': `${fromLadder}; a permanent refusal: a direct message to the requester`,
  'chat.update': `${fromLadder}; if the message is gone, the bot posts it anew`,
  'conversations.info': asRight,
  'conversations.members': asRight,
  'conversations.open': 'as for the message',
  'files.completeUploadExternal': 'the answer says that its file is missing',
  'files.getUploadURLExternal': 'the answer says that its file is missing',
  'files.info': 'the form says that the bot cannot read the file',
  'usergroups.list': asRight,
  'users.conversations': '`hostler setup` asks for the link or the ID of the channel',
  'users.info': asRight,
  'users.list': 'the answer says that it cannot find a typed name',
  'views.open': `${fromLadder}; after an expired trigger, a button opens it again`,
  'views.publish': fromLadder,
  'views.push': `${fromLadder}; after an expired trigger, a button opens it again`,
  'views.update': `${fromLadder}; if the person closed the dialog, a private message`,
};

/** A row for each end, with the methods that have it; docs/security.md has their scopes. */
function methodTable(): string {
  const ends = Map.groupBy(Object.entries(whenRefused), ([, end]) => end);
  const rows = [...ends].map(([end, same]) => [names(same.map(([method]) => method)), end]);
  return markdownTable(['Methods', 'If Slack refuses it'], rows);
}

function scopeTable(): string {
  const manifest = readFileSync('manifest.yml', 'utf8');
  const scopes = manifest.slice(manifest.indexOf('    bot:\n'), manifest.indexOf('    bot_optional:'));
  const rows = [...scopes.matchAll(/((?: *#.*\n)+) *- (\S+)/g)].map(([, comment = '', scope = '']) => [
    `\`${scope}\``,
    comment
      .replace(/^ *# ?/gm, '')
      .trim()
      .replaceAll('\n', ' '),
    Object.entries<readonly string[]>(methods)
      .filter(([, needs]) => needs.includes(scope))
      .map(([method]) => `\`${method}\``)
      .join(', ') || '–',
  ]);
  return markdownTable(['Scope', 'Purpose', 'Methods'], rows);
}

/** A row for each risk and capability, since a cell with all commands of a risk is too long to read. */
async function riskTable(): Promise<string> {
  const commands = (await loadCommands()).filter(({ risk, capability }) => risk !== 'safe' && capability !== 'admin');
  return markdownTable(
    ['Risk', 'Default rule', 'Needs', 'Commands'],
    risks.flatMap((risk) =>
      risk === 'safe'
        ? [[risk, plain(sayRule(defaultRules.safe)), '', 'all that only read']]
        : [
            ...Map.groupBy(
              commands.filter((command) => command.risk === risk),
              ({ capability }) => capability,
            ),
          ].map(([capability, same]) => [
            risk,
            plain(sayRule(defaultRules[risk])),
            capability,
            same.map(({ path }) => `\`${path}\``).join(', '),
          ]),
    ),
  );
}
