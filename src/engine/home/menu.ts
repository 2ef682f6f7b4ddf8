import { z } from 'zod';
import { liveServers, orderTarget } from '../../core/account/account.ts';
import { gradeOf, type SeenServer, troublesOf } from '../../core/account/trouble.ts';
import { createMemory } from '../../core/async/memory.ts';
import { byArea } from '../../core/policy/areas.ts';
import { byNumbers, count, day, firstFew, minute } from '../../core/text/words.ts';
import { signs } from '../../core/view/signs.ts';
import type { Button, Text, View, ViewPart } from '../../core/view/view.ts';
import { buttonRow, dotted, formButton, peopleIn, reviewButton, runButton, text } from '../../core/view/view.ts';
import { waysToAccess } from '../access/ask-access.ts';
import type { Access } from '../context/access-port.ts';
import type { AnyCommand } from '../context/dependencies.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Place } from '../context/request.ts';
import { lastPowers, offAsUsual } from '../operation/last-powers.ts';
import type { Operation } from '../operation/read-operation.ts';
import { requestsNeeding } from '../operation/waiting-for.ts';
import { nextHours, openAlertsSeen, protectionMarks } from './home-reads.ts';

export const findLabel = 'Find a server, domain, order or request';

/** `/host` alone: the commands that this person may use here; without any right, the admins. */
export async function menu(context: EngineContext, access: Access, place: Place): Promise<View> {
  const { commands } = context;
  const allowed = commands.filter(
    (command) => command.capability !== 'none' && access.hasCapability(command.capability),
  );
  if (allowed.length === 0) return withoutRights(context, access, place);
  const listed = commands.filter(
    (command) => command.isBehind !== true && (command.capability === 'none' || allowed.includes(command)),
  );
  const [words, ways, needed, used, next] = await Promise.all([
    standing(context, access),
    waysToAccess(context, access, place),
    requestsNeeding(context, access.actor.id),
    place.kind === 'channel' ? context.usedMost(access.channel) : [],
    nextHours(context, access.actor.id, new Map([[access.channel, access]])),
  ]);
  const asks = asksOf(ways);
  const protectionMark = await protectionMarks(context, next);
  const heading = headingOf(words, place);
  return {
    summary: heading,
    parts: [
      { kind: 'text', text: heading },
      ...neededParts(needed),
      ...nextParts(next, protectionMark),
      ...(access.hasCapability('read') ? [{ kind: 'find', label: findLabel } satisfies ViewPart] : []),
      ...buttonRow(usual(allowed, used)),
      {
        kind: 'menu',
        label: asks.length === 0 ? 'All commands' : 'All commands, or ask for access',
        options: [...everyCommand(listed), ...asks],
      },
    ],
  };
}

/** `#ops · 10 of 12 servers on`, `#ops · what do you need?` */
function headingOf(words: Text, place: Place): Text {
  const question = place.kind === 'channel' ? 'what do you need?' : 'What do you need?';
  return dotted([place.kind === 'channel' ? [{ channel: place.channel }] : '', words === '' ? question : words]);
}

/** The rights to ask for follow the commands in the same menu. */
function asksOf(ways: readonly ViewPart[]): Button[] {
  return ways.flatMap((part) =>
    part.kind === 'menu' ? part.options.map((option) => ({ ...option, group: 'Ask for access' })) : [],
  );
}

function neededParts(needed: readonly Operation[]): ViewPart[] {
  const [first] = needed;
  if (first === undefined) return [];
  const review: Button =
    needed.length === 1
      ? reviewButton(`Review ${first.plan.title}…`, first.id)
      : runButton(`Review ${needed.length} waiting`, 'requests waiting');
  return buttonRow([{ ...review, style: 'primary' }]);
}

/** `Next: Restart web-1 📌 pinned Sunday 03:00` */
function nextParts(next: readonly Operation[], protectionMark: (operation: Operation) => string): ViewPart[] {
  if (next.length === 0) return [];
  const each = next.map((operation): Text => {
    const { plan, startsAt, createdAt } = operation;
    return [
      { bold: plan.title },
      ` ${protectionMark(operation)} `.trimEnd(),
      ' ',
      { date: startsAt ?? createdAt, style: 'full' },
    ];
  });
  return [{ kind: 'text', text: text('Next: ', dotted(each)) }, ...buttonRow([runButton('Scheduled', 'scheduled')])];
}

/** Shows a person without rights who can grant them, with a button to ask. */
async function withoutRights(context: EngineContext, access: Access, place: Place): Promise<View> {
  const decision = access.decide('read', 'safe', []);
  const because = decision.allowed ? '' : decision.because;
  return {
    summary: 'You have no rights here yet.',
    parts: [
      { kind: 'text', text: text('You have no rights here yet: ', because, '.') },
      { kind: 'text', text: text('Admins who can change that: ', peopleIn(context.settings.admins.slice(0, 5)), '.') },
      ...(await waysToAccess(context, access, place)),
      ...buttonRow([runButton('Help', 'help')]),
    ],
  };
}

/** The four buttons of a channel without frequently used commands. */
const defaults: ReadonlyMap<string, Button> = new Map([
  ['restart', formButton('Restart…', 'restart')],
  ['stats', formButton('Stats…', 'stats')],
  ['dns domains', runButton('DNS', 'dns domains')],
  ['alerts', runButton('Alerts', 'alerts')],
]);

/** The channel's most used commands that this person may use; defaults fill the row. */
function usual(allowed: readonly AnyCommand[], used: readonly string[]): Button[] {
  return [...new Set([...used, ...defaults.keys()])]
    .flatMap((path) => allowed.filter((command) => command.path === path))
    .slice(0, defaults.size)
    .map((command) => defaults.get(command.path) ?? commandButton(command, command.title));
}

const mostCounted = 200;
/** The alert rules cannot read the power of more servers within the time for which it is shown. */
const mostWithPower = 500;

/**
 * "🔴 web-1 is off · 11 of 12 servers on · 2 open alerts", for targets that this person may read. Makes no call to the
 * provider: shows the power only if Home or the alert rules read every server in the last minutes.
 */
async function standing(context: EngineContext, access: Access): Promise<Text> {
  const readable = (context.accountReader.peek()?.orders ?? []).filter((order) =>
    access.may('read', orderTarget(order)),
  );
  const servers = liveServers(readable);
  const now = context.now();
  const [alerts, powers, usual] = await Promise.all([
    access.hasCapability('read') ? openAlertsSeen(context, access.channel, access, mostCounted) : [],
    lastPowers(context, servers.length > mostWithPower ? [] : servers, now),
    offAsUsual(context.store, servers),
  ]);
  const reads = servers.flatMap(({ id }) => powers.get(id) ?? []);
  const on = reads.filter(({ power }) => power === 'on').length;
  const isRead =
    servers.length > 0 && reads.every(({ power }) => power !== 'unknown') && reads.length === servers.length;
  const down = servers
    .map((order): SeenServer => {
      const power = isRead ? powers.get(order.id)?.power : undefined;
      return { order, power, isWanted: usual.has(order.id) };
    })
    .filter((seen) => gradeOf(seen, now) === 'down');
  const words = [
    sayDown(down, now),
    isRead
      ? `${on} of ${count(servers.length, 'server')} on`
      : servers.length > 0
        ? count(servers.length, 'server')
        : '',
    alerts.length > 0 ? count(alerts.length, 'open alert') : '',
  ].filter(Boolean);
  if (!isRead) return words.join(' · ');
  const readAt = Math.min(...reads.map((read) => read.readAt));
  return [`${words.join(' · ')} · read `, { date: readAt, style: 'full' }];
}

/** `🔴 web-1 and web-2 are off, db-1 is blocked` */
function sayDown(down: readonly SeenServer[], now: number): string {
  const alike = Map.groupBy(down, (seen) => troublesOf(seen, now)[0]?.words);
  const sentences = [...alike].map(([words, those]) => {
    const names = those.map(({ order }) => order.label).toSorted(byNumbers);
    return `${firstFew(names, 3)} ${names.length === 1 ? 'is' : 'are'} ${words}`;
  });
  return sentences.length === 0 ? '' : `${signs.bad} ${sentences.join(', ')}`;
}

/** One menu of all commands, grouped by area, which Slack searches as people type. */
function everyCommand(allowed: readonly AnyCommand[]): Button[] {
  return byArea(allowed).flatMap(([area, members]) =>
    members.map((command): Button => ({ ...commandButton(command, command.path), group: area })),
  );
}

/** Runs a read that needs no arguments; opens the form of any other command. */
function commandButton({ args, kind, path }: AnyCommand, label: string): Button {
  const isComplete = Object.values(args).every((arg) => arg.optional);
  return isComplete && kind === 'query' ? runButton(label, path) : formButton(`${label}…`, path);
}

const lately = 30 * day;
/** Maximum number of the channel's newest rows that are counted. */
const mostRows = 1_000;
/** A command used less often is not a habit of the channel. */
const fewestUses = 3;

/** Audit kinds to count: a request names its command, a read its line. */
const kinds = ['asked', 'answered', 'shared'];
const dataSchema = z.object({ text: z.string(), command: z.string().optional() });

/** Counts used commands in the audit, at most once in ten minutes for each channel. */
export function createUsedMost(getContext: () => EngineContext): EngineContext['usedMost'] {
  const counts = createMemory<readonly string[]>({ lifeMs: 10 * minute, now: () => getContext().elapsed() });

  async function countIn(channel: string): Promise<readonly string[]> {
    const { store, now, commands } = getContext();
    const since = now() - lately;
    const rows = (await store.audit.list({ channel, limit: mostRows })).filter(
      ({ kind, at }) => kinds.includes(kind) && at >= since,
    );
    const paths = commands.map(({ path }) => path).toSorted((a, b) => b.length - a.length);
    const uses = new Map<string, number>();
    for (const { data } of rows) {
      const read = dataSchema.safeParse(data);
      if (!read.success) continue;
      const { text, command = paths.find((path) => text === path || text.startsWith(`${path} `)) } = read.data;
      if (command !== undefined) uses.set(command, (uses.get(command) ?? 0) + 1);
    }
    return [...uses]
      .filter(([, times]) => times >= fewestUses)
      .toSorted(([name, a], [other, b]) => b - a || (name < other ? -1 : 1))
      .map(([path]) => path);
  }

  return (channel) => counts.get(channel, () => countIn(channel));
}
