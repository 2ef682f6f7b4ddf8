import { type Account, addressesOf, mayReadRequest, type Order, orderTarget } from '../../core/account/account.ts';
import type { BotReader, OperationSummary } from '../../core/command/bot.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { sayDuration } from '../../core/text/words.ts';
import { ProviderError } from '../../core/view/errors.ts';
import { signs } from '../../core/view/signs.ts';
import type { Button, Span, Text, View, ViewPart } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { VpsOrder } from '../../provider/endpoints/vps-orders.ts';
import { formButton, runButton } from '../buttons.ts';
import { withReadAt } from '../read-at.ts';
import { sayJob } from './job.ts';
import { dependsOn, type Power, paidUntil, powerOf, powerSigns, sayStatus } from './power.ts';

/** The card of one server, read now, with buttons for the usual next commands. */
export async function serverCard(known: Order, context: ReadContext<Reader>): Promise<View> {
  const { reader, now } = context;
  const [fresh, power, work, account] = await Promise.all([
    reader.vpsOrders.read({ order_id: known.id }),
    powerOf(reader, known.id),
    workOn(known.id, context),
    context.account(),
  ]);
  const server: Order = {
    ...known,
    status: fresh.status,
    plan: fresh.tariff,
    addresses: fresh.ipaddress_set,
    hostname: fresh.hostname,
    expires: fresh.expiration_date,
    tags: fresh.tags,
    // The response may omit these two; the values of the list then apply.
    project: fresh.project ?? known.project,
    isCancelMarked: fresh.cancel_mark ?? known.isCancelMarked,
  };
  const fields: [string, Text][] = [
    ['Addresses', addressesOf(server).join(', ') || 'None'],
    ['Plan', planText(fresh)],
    ['Paid until', paidUntil(server, now)],
    ['Power', powerSigns[power]],
    ['Project', server.project?.name ?? 'None'],
    ['Tags', server.tags.join(', ') || 'None'],
    ...dependsOn([server], account, context).filter(([label]) => label === 'Affected'),
    ...work,
    ['Reverse DNS', reverseNamesOf(known.id, account)],
    ['Order', `${server.id} · ${sayStatus(server.status)}${server.isCancelMarked ? ', will be canceled' : ''}`],
    ...(server.hostname === null ? [] : [['Hostname', server.hostname] satisfies [string, Text]]),
  ];
  return {
    summary: `${server.label} is ${power}`,
    parts: [
      { kind: 'heading', text: server.label, aside: powerSigns[power] },
      { kind: 'fields', fields },
      { kind: 'context', text: withReadAt('', now) },
      ...controls(server, power, context),
    ],
  };
}

/** `192.0.2.10 → web-1.example.com`, a line for each address */
function reverseNamesOf(id: string, { reverseNames }: Account): string {
  if (reverseNames === undefined) return 'Unknown: it could not be read.';
  return (reverseNames.get(id) ?? []).map(({ ip, name }) => `${ip} → ${name || 'none'}`).join('\n') || 'None';
}

/** `Cloud NVMe 2 · 2 cores, 4 GB memory, 40 GB disk` */
function planText({ tariff, configuration }: VpsOrder): string {
  if (configuration === null) return tariff || 'unknown';
  const { cpu_count, ram_size, disk_size, cpu_arch } = configuration;
  const arch = cpu_arch === 'arm' ? ', arm' : '';
  return `${tariff} · ${cpu_count} ${cpu_count === 1 ? 'core' : 'cores'}, ${ram_size} GB memory, ${disk_size} GB disk${arch}`;
}

const mostNamed = 3;

/**
 * Lists this bot's requests on the server: waiting and running ones, the last ended one, and the last job. A request
 * may name other targets, and the card can be shared with the channel, so only requests that may be read here are
 * listed, even for their requester.
 */
async function workOn(id: string, context: ReadContext<Reader>): Promise<[string, Text][]> {
  const { bot, reader, now } = context;
  const [open, recent] = await Promise.all([
    bot.operations({ isOpen: true, limit: 50 }),
    bot.operations({ limit: 100 }),
  ]);
  const isHere = ({ steps }: OperationSummary) =>
    steps.some((step) => JSON.stringify(step.data ?? null).includes(`"${id}"`));
  const isTold = (operation: OperationSummary) => isHere(operation) && mayReadRequest(operation, context);
  const here = open.filter(isTold);
  const ended = recent.find((operation) => operation.endedAt !== null && isTold(operation));
  const links = await bot.cardLinks(here.map((operation) => operation.id));
  const named = (isWaiting: boolean): [string, Text][] => {
    const some = here.filter(({ state }) => (state === 'waiting') === isWaiting);
    const titles = some.slice(0, mostNamed).map(({ id, title }): Span => {
      const link = links.get(id);
      return link === undefined ? title : { link, text: title };
    });
    if (titles.length === 0) return [];
    const more = some.length > titles.length ? ` and ${some.length - titles.length} more` : '';
    const spans = titles.flatMap((title, at): Span[] => (at === 0 ? [title] : [', ', title]));
    return [[isWaiting ? 'Waiting' : 'Running', [`${signs.waiting} `, ...spans, more]]];
  };
  const last = recent.flatMap(({ steps }) => steps.flatMap(({ job }) => (job?.orderId === id ? [job.jobId] : [])))[0];
  return [
    ...named(true),
    ...named(false),
    ...(ended === undefined ? [] : [['Last', await lastRequest(ended, bot)] satisfies [string, Text]]),
    ...(last === undefined ? [] : [['Last job', await lastJob(reader, id, last, now)] satisfies [string, Text]]),
  ];
}

/** Uses a name and no mention, which would notify the person. */
async function lastRequest({ title, requester, state, endedAt }: OperationSummary, bot: BotReader): Promise<Text> {
  return [`${title}: ${state}, asked by ${await bot.nameOf(requester)}, `, { date: endedAt ?? 0, style: 'full' }];
}

async function lastJob(reader: Reader, id: string, jobId: number, now: number): Promise<string> {
  try {
    const job = await reader.vps.logDetails({ order_id: id, log_id: jobId });
    const ms = Date.parse(job.time);
    const age = Number.isNaN(ms) || ms > now ? '' : `, ${sayDuration(now - ms)} ago`;
    return `${jobId} ${job.action || 'job'}: ${sayJob(job)}${age}`;
  } catch (error) {
    if (error instanceof ProviderError) return `${jobId}: unknown, it could not be read`;
    throw error;
  }
}

function controls(server: Order, power: Power, { may }: ReadContext<Reader>): ViewPart[] {
  const target = orderTarget(server);
  const { id } = server;
  const mayOperate = may('operate', target);
  const usual = [
    ...(mayOperate && power !== 'on' ? [runButton('Start', `start ${id}`)] : []),
    ...(mayOperate && power !== 'off' ? [runButton('Restart', `restart ${id}`), runButton('Stop', `stop ${id}`)] : []),
    runButton('Stats', `stats ${id}`),
  ];
  const rare: Button[] = [
    ...(mayOperate
      ? [runButton('Hard reset', `hard-reset ${id}`), runButton('Rescue mode on', `rescue on ${id}`)]
      : []),
    ...(mayOperate ? [runButton('Rescue mode off', `rescue off ${id}`)] : []),
    ...(may('secrets', target) ? [runButton('New root password', `password ${id}`)] : []),
    ...(may('destroy', target) ? [formButton('Reinstall…', `reinstall ${id}`)] : []),
  ];
  const [address] = server.addresses;
  const mayOrganize = may('organize', target);
  const naming: Button[] = [
    ...(address === undefined ? [] : [runButton('DNS names', `dns find ${address}`)]),
    ...(mayOrganize
      ? [
          formButton('Rename…', `rename ${id}`),
          formButton('Add a tag…', `tag add ${id}`),
          formButton('Move…', `move ${id}`),
        ]
      : []),
    runButton('Order', `order ${id}`),
    runButton('Add to favorites', `favorite ${id}`),
  ];
  return [
    { kind: 'buttons', buttons: usual },
    ...(rare.length === 0 ? [] : [{ kind: 'menu', label: 'More', options: rare } satisfies ViewPart]),
    { kind: 'menu', label: 'Names and order', options: naming },
  ];
}
