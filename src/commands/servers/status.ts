import { extentOf, sayNumber } from '../../charts/curve.ts';
import { domainTarget, liveServers, mayReadRequest, type Order, orderTarget } from '../../core/account/account.ts';
import { type Power, powerText, sayStatus, troublesOf, worstFirst } from '../../core/account/trouble.ts';
import { orAll, order } from '../../core/command/args.ts';
import type { OperationSummary } from '../../core/command/bot-port.ts';
import type { AnswerContext } from '../../core/command/command.ts';
import { sayAsker } from '../../core/plan/say-state.ts';
import { sayProbed, servicesOf } from '../../core/probe/services.ts';
import { day, firstLines, hour, sayDuration, wordSet } from '../../core/text/words.ts';
import { ifReadable } from '../../core/view/errors.ts';
import { favoriteLabel, signs } from '../../core/view/signs.ts';
import {
  buttonRow,
  dotted,
  fieldsPart,
  formButton,
  joined,
  offered,
  plain,
  runButton,
  type Text,
  text,
  textPart,
  titleSpan,
  type View,
  type ViewPart,
} from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { openAlertsOn } from '../alerts/list.ts';
import { dedicatedCard } from '../dedicated/show.ts';
import { type CommandContext, channelRead, defineQuery, withReadAt } from '../define.ts';
import { freshOrder } from '../orders/read-order.ts';
import { protectionField } from '../protection-mark.ts';
import { sayJob } from './job.ts';
import { countsLine, namesHere, paidUntil, seeIfFew, seeServers, serversOf } from './see-servers.ts';
import { serverChart, unitOf } from './stats.ts';

const mostNamed = 3;

/** Everything about one server, read now, with buttons for the usual next commands. */
async function serverCard(listed: Order, context: AnswerContext<Reader>): Promise<View> {
  const { reader, now } = context;
  const seeing = seeServers([listed], context);
  const [alertsOn, fresh, [seen], { words, ...chart }, work, account, favorites, protection, outside] =
    await Promise.all([
      openAlertsOn([listed], context),
      reader.vpsOrders.read({ order_id: listed.id }),
      seeing,
      // A server that is off has no load, so nothing is read for it.
      seeing.then(([seen]) => (seen?.power === 'on' ? loadOf(listed, context) : { words: [], parts: [] })),
      workOn(listed.id, context),
      context.account(),
      context.own.favorites(),
      protectionField(context.bot, orderTarget(listed)),
      fromOutside(listed, context),
    ]);
  const server: Order = {
    ...freshOrder(fresh, 'vps', listed.moreAddresses),
    label: listed.label,
    // The response may omit these two; the values of the list then apply.
    project: fresh.project ?? listed.project,
    isCancelMarked: fresh.cancel_mark ?? listed.isCancelMarked,
  };
  const power = seen?.power ?? 'unknown';
  const state = server.status === 'active' ? '' : sayStatus(server.status);
  const here = namesHere([server], { account, may: context.may });
  const about: Text[] = [
    server.project?.name ?? '',
    server.tags.join(', '),
    text('paid until ', paidUntil(server, now)),
    server.isCancelMarked ? 'will be canceled' : '',
  ];
  return {
    ...chart,
    summary: `${server.label} is ${power}`,
    parts: [
      { kind: 'heading', text: server.label, aside: powerText({ ...seen, power }) },
      ...alertsOn,
      { kind: 'text', text: dotted([state, server.addresses.slice(0, 2).join(', '), ...words, ...here]) },
      { kind: 'text', text: dotted(about) },
      ...textPart('text', power === 'off' ? '' : outside),
      ...chart.parts,
      ...textPart('text', protection),
      ...work,
      { kind: 'context', text: withReadAt(server.id, now) },
      ...controls(server, power, context, favorites.has(server.id)),
    ],
  };
}

/** `From outside: https example.com (84 ms) and ssh (12 ms) answer`; empty if nothing is tried. */
async function fromOutside(server: Order, { account, bot: { prober }, may }: CommandContext): Promise<string> {
  const { domains } = await account();
  const zones = domains.filter((domain) => may('read', domainTarget(domain)));
  const probed = await prober.probe(servicesOf(server, zones));
  return probed.every(({ isUnopened }) => isUnopened) ? '' : `From outside: ${sayProbed(probed)}`;
}

/**
 * Lists this bot's requests on the server: waiting and running ones, the last ended one, and the last job. A request
 * may name other targets, and the card can be shared with the channel, so only requests that may be read here are
 * listed, even for their requester.
 */
async function workOn(id: string, context: CommandContext) {
  const { bot, reader, now } = context;
  const [open, recent] = await Promise.all([bot.operations({ open: true, limit: 50 }), bot.operations({ limit: 100 })]);
  const isHere = ({ targets }: OperationSummary) =>
    targets.some((target) => target.kind === 'order' && target.id === id);
  const isTold = (operation: OperationSummary) => isHere(operation) && mayReadRequest(operation, context);
  const here = open.filter(isTold);
  const ended = recent.find((operation) => operation.endedAt !== null && isTold(operation));
  const links = await bot.cardLinks(here.map((operation) => operation.id));
  const named = (some: readonly OperationSummary[]): Text => {
    const titles = some.slice(0, mostNamed).map((operation) => titleSpan(operation.title, links.get(operation.id)));
    const more = some.length > titles.length ? ` and ${some.length - titles.length} more` : '';
    return some.length === 0 ? '' : text(`${signs.waiting} `, joined(titles, ', '), more);
  };
  // A name and no mention, which would notify the person.
  const lastRequest: Text | undefined = ended && [
    `${ended.title}: ${ended.state}, asked by ${plain(sayAsker(ended, await bot.nameOf(ended.requester)))}, `,
    { date: ended.endedAt ?? 0, style: 'full' },
  ];
  const last = recent.flatMap(({ steps }) => steps.flatMap(({ job }) => (job?.orderId === id ? [job.jobId] : [])))[0];
  return fieldsPart([
    ['Waiting', named(here.filter(({ state }) => state === 'waiting'))],
    ['Running', named(here.filter(({ state }) => state !== 'waiting'))],
    ['Last', lastRequest],
    ['Last job', last === undefined ? '' : await lastJob(reader, id, last, now)],
  ]);
}

async function lastJob(reader: Reader, id: string, jobId: number, now: number): Promise<string> {
  const job = await ifReadable(reader.vps.logDetails({ order_id: id, log_id: jobId }));
  if (job === undefined) return `${jobId}: unknown, it could not be read`;
  const ms = Date.parse(job.time);
  const age = Number.isNaN(ms) || ms > now ? '' : `, ${sayDuration(now - ms)} ago`;
  return `${jobId} ${job.action || 'job'}: ${sayJob(job)}${age}`;
}

function controls(server: Order, power: Power, { may }: CommandContext, isFavorite: boolean): ViewPart[] {
  const target = orderTarget(server);
  const { id } = server;
  const [address] = server.addresses;
  const mayOperate = may('operate', target);
  const [mayStart, mayStop] = [mayOperate && power !== 'on', mayOperate && power !== 'off'];
  const mayOrganize = may('organize', target);
  const usual = offered([
    [mayStart, runButton('Start', `start ${id}`)],
    [mayStop, runButton('Restart', `restart ${id}`)],
    [true, runButton('Stats', `stats ${id}`)],
    [true, runButton(favoriteLabel(isFavorite), `${isFavorite ? 'unfavorite' : 'favorite'} ${id}`)],
  ]);
  const rare = offered([
    [mayStop, runButton('Stop', `stop ${id}`)],
    [mayOperate, runButton('Hard reset', `hard-reset ${id}`)],
    [mayOperate, runButton('Rescue mode on', `rescue on ${id}`)],
    [mayOperate, runButton('Rescue mode off', `rescue off ${id}`)],
    [may('secrets', target), runButton('New root password', `password ${id}`)],
    [may('destroy', target), formButton('Reinstall…', `reinstall ${id}`)],
    [address !== undefined, runButton('DNS names', `dns find ${address}`)],
    [mayOrganize, formButton('Rename…', `rename ${id}`)],
    [mayOrganize, formButton('Tags…', `tag ${id}`)],
    [mayOrganize, formButton('Move…', `move ${id}`)],
    [true, runButton('Plan, host and reverse names', `order ${id}`)],
  ]);
  return [
    { kind: 'buttons', buttons: usual },
    { kind: 'menu', label: 'More', options: rare },
  ];
}

/**
 * The load of a server: `CPU 27 %` and `memory 652 MB`, and the curve of the processor's last day. A value that cannot
 * be read, or is older than an hour, is left out.
 */
async function loadOf({ id, label }: Order, { reader, now, timeZone }: CommandContext) {
  const [cpu, memory] = await Promise.all([
    curveOf(reader, id, 'cpu', 'CPU', '-24h'),
    curveOf(reader, id, 'memory', 'memory', '-1h'),
  ]);
  const words = [cpu, memory].flatMap((read) => {
    if (read === undefined) return [];
    const { name, points } = read.curve;
    // The provider's clock may differ from this one.
    const newest = Math.max(...points.map(([atMs]) => atMs));
    const last = extentOf({ name, points: points.filter(([atMs]) => atMs > newest - hour) })?.last;
    return last === undefined ? [] : [`${name} ${sayNumber(last)} ${unitOf(read.subtitle)}`.trim()];
  });
  if (cpu === undefined || extentOf(cpu.curve) === undefined) return { words, parts: [] };
  const [curves, title] = [[cpu.curve], `${label} · CPU, last 24 h`];
  const chart = { name: `${id}-day`, title, subtitle: cpu.subtitle, curves, spanMs: day, isAside: true } as const;
  return { words, ...(await serverChart(chart, { now, timeZone })) };
}

async function curveOf(reader: Reader, id: string, field: 'cpu' | 'memory', name: string, start: string) {
  const stats = await ifReadable(reader.vps.stats({ order_id: id, field, start, end: 'now' }));
  return stats && { curve: { name, points: stats.series[0]?.data ?? [] }, subtitle: stats.subtitle };
}

export const status = defineQuery({
  path: 'status',
  words: `check · describe · look · ping | status · state · uptime · detail · info · server · machine · node · vps ·
    instance · vm · droplet · host · health · os · fleet · dashboard | how is · how's · is ok · is up · is down · is
    off · is on · is online · is running · is alive · is reachable · is it up · down · slow · hangs · has a problem · what is wrong ·
    what's wrong with · what's up with · does not work · not work · is work · is working · does work · unreachable ·
    not responding · not reachable · doing its job · doing ok · systemctl status · get node · describe node · server
    describe · does answer · not answer · not open · what is broken · anything broken · everything all right ·
    everything ok · everything fine · is broken · anything wrong · any problem · wats broken · cannot connect · can't
    connect · no connection · anything down · everything up · can't log in · cannot log in`,
  title: 'Server status',
  summary: 'Show one server in full, or a summary of all',
  examples: ['status web-1', 'status'],
  alsoSays: [
    ...wordSet(
      'up down ok okay on off running alive online offline working broken slow overloaded dead healthy not',
      'hosted responding reachable unreachable doing still about status state it is a an',
    ),
  ],
  args: {
    server: orAll(
      order({ hint: 'Name, id or address. Without it, a summary of all.', example: 'web-1', kinds: ['vps', 'ds'] }),
    ),
  },
  ...channelRead,
  run: ({ server }, context) => {
    if (server === undefined) return inShort(context);
    return server.kind === 'ds' ? dedicatedCard(server, context) : serverCard(server, context);
  },
});

const troublesMost = 15;

async function inShort(context: CommandContext): Promise<View> {
  const { now } = context;
  const account = await context.account();
  const live = liveServers(serversOf(account.orders, context.may));
  const seen = worstFirst(await seeIfFew(live, context), now);
  const isSmall = seen.every(({ power }) => power !== undefined);
  const inTrouble = seen.flatMap((server) => {
    const words = troublesOf(server, now).map((trouble) => trouble.words);
    return words.length === 0 ? [] : [`${server.order.label}: ${words.join(', ')}`];
  });
  const counts = countsLine(seen, live.length);
  const healthy = isSmall
    ? `Every server is ${seen.some(({ isWanted }) => isWanted) ? 'on or off as usual,' : 'on'} and paid.`
    : 'No order has a problem. The power of this many servers is shown page by page in the list.';
  const lines = inTrouble.length === 0 ? healthy : firstLines(inTrouble, troublesMost).join('\n');
  return {
    summary: counts,
    parts: [
      ...(await openAlertsOn(live, context)),
      { kind: 'text', text: live.length === 0 ? 'There is no server here that you may see.' : lines },
      { kind: 'context', text: withReadAt(counts, account.readAt) },
      ...buttonRow([runButton('List', 'list')]),
    ],
  };
}
