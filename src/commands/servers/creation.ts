import { accountTarget, type Order, orderTarget, type Target } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import type { RawArgs } from '../../core/grammar/command-shape.ts';
import { resolveOrder } from '../../core/targets/targets.ts';
import { count, firstFew, sentenceStart } from '../../core/text/words.ts';
import { badValue, ifReadable } from '../../core/view/errors.ts';
import { dotted, fieldsWith } from '../../core/view/view.ts';
import type { ProviderSshKey } from '../../provider/endpoints/account.ts';
import { troubleOf } from '../catalog/catalog.ts';
import type { CommandContext } from '../define.ts';
import { sayKeys, titleOf } from '../ssh-keys/keys.ts';
import type { CreationChoice } from './creation-args.ts';
import { bodyOf, chosenHardware, type Hardware, hardwareOf, partsOf, sayHardware } from './creation-parts.ts';
import { mustBeCovered, priceOf, sayBalance, sayCovered, sayDue, sayPrice, times } from './creation-price.ts';
import { sayImage } from './images.ts';
import { serversOf } from './see-servers.ts';

/** Plans a new server: checks every rule of creation, the price, and the balance. */
export async function planCreation(choices: CreationChoice, context: CommandContext) {
  const [parts, money, { orders }, usualCurrency] = await Promise.all([
    partsOf(choices, context),
    ifReadable(context.reader.account.balance()),
    context.account(),
    context.currency(),
  ]);
  const servers = orders.filter((order) => order.kind === 'vps');
  mustBeNew(choices.name, servers, context.may);
  const price = priceOf(parts);
  if (money !== undefined) mustBeCovered(price, money.balance, money.currency);
  const currency = money?.currency ?? usualCurrency;
  const body = bodyOf(choices, parts);
  const { hardware, image, location, diskClass, services, network, sshKeys, leftOutKeys } = parts;
  const { bandwidth, tags = [], project } = choices;
  const place = location.label || location.value;
  const trouble = troubleOf(location);
  const isFull = trouble === undefined ? '' : `: ${trouble} when last read, so the provider may refuse`;
  const { name: product, disk_class: included } = hardware.kind === 'plan' ? hardware.plan : {};
  const due = sayDue(price, parts.term, currency);
  const label = choices.name ?? 'a server without a name';
  return {
    title: choices.name === undefined ? 'Create a server' : `Create ${choices.name}`,
    subject: [[{ bold: label }, ` · ${product ?? 'own configuration'} · ${place} · ${image.name}`]],
    effect: `A server is ordered and paid from the balance, ${due}. It renews for the same term until it is ended.`,
    glance: dotted([
      product ?? sayHardware(hardware),
      trouble === undefined ? place : `${place}: ${trouble}`,
      image.name,
      `paid from the balance: ${due}, renewed until it is ended`,
      sshKeys.length === 0 ? 'no SSH key' : firstFew(sshKeys, 3, titleOf),
    ]),
    details: fieldsWith([
      ['Price', sentenceStart(sayPrice(price, currency))],
      ['Pay now', sentenceStart(due)],
      ['Balance', money === undefined ? 'Unknown: it could not be read.' : sayCovered(price)],
      ['Hardware', sayHardware(hardware, location)],
      ['Disk class', diskClass?.name ?? (included ? `${included.name}, as the plan has it` : '')],
      ['Software', sentenceStart(sayImage(image))],
      ['Place', `${place} (${location.value})${isFull}`],
      ['Bandwidth', bandwidth === undefined ? '' : `${bandwidth} ${location.bandwidth_tariff?.unit ?? ''}`.trim()],
      ['Services', services.map(({ service, count }) => times(service.name, count)).join(', ')],
      ['Tags', tags.join(', ')],
      ['Project', project?.name],
      ['SSH keys', sayInstalled(sshKeys, leftOutKeys)],
      ['Network', network === undefined ? '' : 'Connected to the private network.'],
      ['Placement', placementText(choices)],
    ]),
    facts: {
      hardware: sayHardware(hardware),
      software: `${sayImage(image)} (${image.id})`,
      place,
      price: sayPrice(price, currency),
      'pay now': due,
      'what is ordered': body,
    },
    body,
    label,
  };
}

/** The SSH keys. The provider adds none by itself, so omitted default keys are named. */
function sayInstalled(keys: readonly ProviderSshKey[], leftOut: readonly ProviderSshKey[] | undefined): string {
  const keyNames = sayKeys(keys);
  if (leftOut === undefined) return `${keyNames}; which keys are default ones could not be read`;
  return leftOut.length === 0 ? keyNames : `${keyNames}; not the default keys: ${firstFew(leftOut, 5, titleOf)}`;
}

function placementText({ placement, placement_group }: CreationChoice): string | undefined {
  if (placement_group === undefined && placement === undefined) return undefined;
  const group = placement_group === undefined ? 'without a group' : `group ${placement_group}`;
  return `${group}, ${placement === 'STRICT' ? 'strictly or not at all' : 'if possible'}`;
}

/** Refuses a name in use: people tell servers apart by name, and a new server is found by it after a lost response. */
function mustBeNew(name: string | undefined, servers: readonly Order[], may: ReadContext['may']): void {
  const same = servers.find(
    (order) => order.status !== 'canceled' && order.name !== '' && order.name.toLowerCase() === name?.toLowerCase(),
  );
  if (same === undefined) return;
  const words = may('read', orderTarget(same))
    ? `There is a server called ${same.label} already (${same.id}).`
    : 'Another server has this name already.';
  throw badValue(words, 'Choose another name.', 'name');
}

/**
 * The price of the chosen hardware and, for people who may see it, the balance after payment. Disk classes and services
 * follow on the last page.
 */
export async function costSoFar(raw: RawArgs, { reader, currency: readCurrency, may }: CommandContext) {
  if (!may('spend', accountTarget)) return [];
  const word = (name: string) => raw[name]?.join(' ') || undefined;
  const size = (name: string) => (word(name) === undefined ? undefined : Number(word(name)));
  const choice = chosenHardware({
    plan: word('plan'),
    cpu: size('cpu'),
    ram: size('ram'),
    disk: size('disk'),
    arch: word('arch') === 'arm' ? 'arm' : undefined,
    frequency: word('frequency'),
  });
  const mayKnow = may('billing', accountTarget);
  const [plans, money, usualCurrency] = await Promise.all([
    choice.kind === 'plan' ? reader.plans.vps() : [],
    ifReadable(reader.account.balance()),
    readCurrency(),
  ]);
  const hardware = hardwareOf(choice, plans);
  const term = size('term') ?? 1;
  const nothing = { diskClass: undefined, bandwidth: undefined, location: undefined, services: [] };
  const price = priceOf({ hardware, term, ...nothing });
  const currency = money?.currency ?? usualCurrency;
  return [
    [
      'So far: ',
      { bold: nameOf(hardware) },
      ` · price ${sayPrice(price, currency)}`,
      term === 1 ? '' : ` · to pay ${sayDue(price, term, currency)}`,
      money === undefined || !mayKnow ? '' : ` · balance ${sayBalance(price, money.balance, currency)}`,
    ],
  ];
}

function nameOf(hardware: Hardware): string {
  if (hardware.kind === 'plan') return hardware.plan.name;
  const { cpu_count, ram_size, disk_size } = hardware.configuration;
  return `${count(cpu_count, 'core')}, ${ram_size} GB memory, ${disk_size} GB disk`;
}

/**
 * Fills in the order form from the order of the server that `like` names. The provider returns neither the location nor
 * the image of a server, so the form asks for both.
 */
export async function filledLike({ like, ...typed }: RawArgs, { account, may, reader }: CommandContext) {
  const [word] = like ?? [];
  if (word === undefined) return typed;
  const all = await account();
  const reading = {
    account: { ...all, orders: serversOf(all.orders, may) },
    maySee: (target: Target) => may('read', target),
    addNote: () => {},
    kinds: ['vps'] as const,
  };
  const server = resolveOrder(word, reading);
  const [{ configuration, tariff, tags, project }, plans, keys] = await Promise.all([
    reader.vpsOrders.read({ order_id: server.id }),
    reader.plans.vps(),
    reader.sshKeys.ofServer({ order_id: server.id }),
  ]);
  const isPlan = plans.some(({ name }) => name === tariff);
  const sizes = {
    cpu: configuration?.cpu_count,
    ram: configuration?.ram_size,
    disk: configuration?.disk_size,
    arch: configuration?.cpu_arch,
    frequency: configuration?.min_cpu_freq,
  };
  const single = Object.entries({ ...(isPlan ? { plan: tariff } : sizes), project: project?.name }).flatMap(
    ([name, value]) => (value == null ? [] : [[name, [String(value)]] as const]),
  );
  const several = { tags: [...tags], ssh_keys: keys.map(({ id }) => String(id)) };
  const lists = Object.entries(several).filter(([, values]) => values.length > 0);
  return { ...Object.fromEntries([...single, ...lists]), ...typed };
}
