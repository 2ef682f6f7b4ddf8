import { accountTarget } from '../../core/account/account.ts';
import { choice, withDefault } from '../../core/command/args.ts';
import { count, money } from '../../core/text/words.ts';
import { sayDay } from '../../core/view/days.ts';
import { type Columns, dotted, formButton, type Row, runButton, type Text, textPart } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import type { Template, VpsLocation } from '../../provider/endpoints/vps-orders.ts';
import { defineList, moneyRead } from '../define.ts';
import { whenEnabled } from './enabled.ts';
import type { Item } from './find.ts';

const planKinds = ['plans', 'dedicated', 'hosting', 'backups'] as const;
const shelfKinds = ['systems', 'apps', 'snapshots', 'locations', 'disks', 'services'] as const;
const kinds = [...planKinds, ...shelfKinds] as const;
const otherKinds = { templates: 'systems', images: 'systems', vps: 'plans' } as const;
type Currency = string | undefined;

interface Shelf {
  readonly title: string;
  readonly noun: readonly [one: string, many: string];
  readonly columns: Columns;
  /** A note below the list, also if it is empty. */
  readonly note?: string;
  readonly rows: (reader: Reader, currency: Currency) => Promise<readonly Row[]>;
}

const planNoun = ['plan', 'plans'] as const;

function ofPlans<T extends Item & { readonly price: number }>(
  title: string,
  read: (reader: Reader) => Promise<readonly T[]>,
  has: (plan: T) => readonly Text[],
): Shelf {
  return {
    title,
    noun: planNoun,
    columns: [{ name: 'Name' }, { name: 'A month' }, { name: 'What it has' }],
    rows: async (reader, currency) =>
      cheapestFirst(await read(reader)).map((plan) => [withId(plan), money(plan.price, currency), dotted(has(plan))]),
  };
}

const shelves: Readonly<Record<(typeof kinds)[number], Shelf>> = {
  plans: ofPlans(
    'Plans for servers',
    (reader) => reader.plans.vps(),
    (plan) => [
      count(plan.cpu_count, 'core'),
      plan.ram,
      [plan.disk, plan.disk_class?.name].filter(Boolean).join(' '),
      plan.bandwidth,
    ],
  ),
  dedicated: ofPlans(
    'Plans for dedicated servers',
    (reader) => reader.plans.dedicated(),
    (plan) => [
      [plan.cpu_model, plan.cpu_count === null ? '' : count(plan.cpu_count, 'core')].filter(Boolean).join(', '),
      plan.ram,
      plan.disk,
      plan.bandwidth,
      plan.locations.map(placeText).join(', '),
    ],
  ),
  // For the API, null means no limit or no value.
  hosting: ofPlans(
    'Plans for web hosting',
    (reader) => reader.plans.hosting(),
    (plan) => [
      plan.sites === null ? 'any number of sites' : count(plan.sites, 'site'),
      plan.cpu_cores === null ? '' : count(plan.cpu_cores, 'core'),
      plan.hdd_space === null ? 'no limit of disk space' : `${plan.hdd_space} GB`,
      plan.available_locations.join(', '),
    ],
  ),
  backups: {
    title: 'Plans for backups',
    noun: planNoun,
    columns: [{ name: 'Space' }, { name: 'A month' }],
    rows: async (reader, currency) =>
      cheapestFirst(await reader.plans.backups()).map((plan) => [
        `${plan.space} ${plan.units}`,
        money(plan.price, currency),
      ]),
  },
  systems: {
    title: 'Operating systems for servers',
    noun: ['template', 'templates'],
    columns: [{ name: 'Name' }, { name: 'System' }, { name: 'Needs' }],
    rows: async (reader) =>
      (await whenEnabled(reader.vpsOrders.templates())).map((template) => [
        withId(template),
        dotted([template.os, template.panel ?? '', template.arch ?? '']),
        needsOf(template),
      ]),
  },
  apps: {
    title: 'Applications for servers',
    noun: ['application', 'applications'],
    columns: [{ name: 'Name' }, { name: 'System' }],
    rows: async (reader) => (await whenEnabled(reader.vpsOrders.apps())).map((app) => [withId(app), app.os]),
  },
  snapshots: {
    title: 'Snapshots of this account',
    noun: ['snapshot', 'snapshots'],
    columns: [{ name: 'Name' }, { name: 'Size' }, { name: 'Made' }],
    note: "The API makes and removes no snapshots: that is done in the provider's customer area, on the page of the order.",
    rows: async (reader) =>
      (await whenEnabled(reader.vpsOrders.snapshots())).map((snapshot) => [
        withId(snapshot),
        `${snapshot.size_gb} GB`,
        sayDay(snapshot.created_at),
      ]),
  },
  locations: {
    title: 'Locations for servers',
    noun: ['place', 'places'],
    columns: [{ name: 'Name' }, { name: 'Now' }, { name: 'What it has' }],
    rows: async (reader, currency) =>
      (await reader.vpsOrders.locations()).map((location) => [
        placeText([location.value, location.label]),
        troubleOf(location) ?? 'available',
        dotted([
          location.location_os_types.join(', '),
          Object.entries(location.available_frequencies)
            .map(([arch, frequencies]) => `${arch} ${frequencies.join(' ')} GHz`)
            .join(', '),
          bandwidthText(location, currency),
        ]),
      ]),
  },
  disks: {
    title: 'Disk classes',
    noun: ['disk class', 'disk classes'],
    columns: [{ name: 'Name' }, { name: 'A month per GB' }, { name: 'What it is' }],
    rows: async (reader, currency) =>
      (await reader.vpsOrders.disks()).map((disk) => [
        withId(disk),
        // The price has fractions of a cent.
        money(1, currency).replace('1', disk.price_per_gb.toLocaleString('en-US', { maximumFractionDigits: 4 })),
        dotted([
          disk.disk_type_display || disk.disk_type,
          `up to ${disk.limit_total_mbytes_sec} MB/s`,
          `${disk.limit_read_iops_sec.toLocaleString('en-US')} reads/s`,
          `${disk.limit_write_iops_sec.toLocaleString('en-US')} writes/s`,
        ]),
      ]),
  },
  services: {
    title: 'Extra services for servers',
    noun: ['service', 'services'],
    columns: [{ name: 'Name' }, { name: 'Price' }, { name: 'What it is' }],
    rows: async (reader, currency) =>
      (await whenEnabled(reader.vpsOrders.services())).map((service) => [
        withId(service),
        `${money(service.price, currency)} ${{ single: 'once', periodic: 'a month' }[service.billing_type] ?? service.billing_type}`,
        service.description,
      ]),
  },
};

export const catalog = defineList({
  path: 'catalog',
  words: `| price · pricing · tariff · template · image · location · catalog · system · operating system · plan ·
    offer · available template | how much would · how much does cost · which size · what size · plans dedicated =
    dedicated · plans hosting = hosting · plans backups = backups · plans vps = plans · plans = plans · templates =
    systems · images = systems · apps = apps · snapshots = snapshots · snapshot list = snapshots · list snapshots =
    snapshots · locations = locations · would cost · second server cost · another server cost · which could we
    rent · choose for new server · server type list = plans · plans do you have = plans`,
  title: 'Catalog for new servers',
  summary: 'List the plans with their prices, and the choices for a new server',
  examples: ['catalog plans', 'catalog systems'],
  args: { kind: withDefault(choice({ of: kinds, also: otherKinds, hint: 'Which list.' }), 'plans') },
  ...moneyRead,
  // The names of snapshots reveal the content of other servers.
  isAccountWide: ({ kind }) => kind === 'snapshots',
  list: async ({ kind }, { reader, currency, may }, show) => {
    const { title, noun, columns, note = '', rows: read } = shelves[kind];
    const isOfPlans = planKinds.some((each) => each === kind);
    const rows = await read(reader, await currency());
    const total = count(rows.length, ...noun);
    const others = isOfPlans ? [...planKinds, 'systems'] : ['plans', ...shelfKinds];
    return show({
      all: rows,
      columns,
      row: (cells) => cells,
      instead: `The provider lists no ${noun[1]}.`,
      total: `${title}: ${total}`,
      foot: (pageNote) => `${total}${isOfPlans ? ', the cheapest first' : ''}${pageNote}`,
      above: [{ kind: 'heading', text: title }],
      below: () => textPart('context', note),
      buttons: [
        ...(kind === 'plans' && may('spend', accountTarget)
          ? [{ ...formButton('Create a server…', 'create'), style: 'primary' } as const]
          : []),
        ...others.filter((other) => other !== kind).map((other) => runButton(other, `catalog ${other}`)),
      ],
    });
  },
});

function cheapestFirst<T extends { readonly price: number }>(plans: readonly T[]): T[] {
  return plans.toSorted((a, b) => a.price - b.price);
}

/** `Cloud NVMe 1 (101)`: a line names an item of the catalog by either. */
function withId({ name, id }: Item): string {
  return `${name} (${id})`;
}

/** `Netherlands (nl)`: the name may be in another language; the code is always the same. */
function placeText([code, name]: readonly [code: string, name: string]): string {
  return name === '' || name === code ? code : `${name} (${code})`;
}

/** `20 GB disk, 2 GB memory, 2 cores`: the smallest server for the template. */
function needsOf({ min_storage_space: disk, min_ram_volume: memory, min_cpu_cores: cores }: Template): string {
  return [
    ...(disk === null ? [] : [`${disk} GB disk`]),
    ...(memory === null ? [] : [`${memory} GB memory`]),
    ...(cores === null ? [] : [count(cores, 'core')]),
  ].join(', ');
}

/** Why no server can be created at this location now. Advice only, since it changes within minutes. */
export function troubleOf(location: VpsLocation): string | undefined {
  if (location.disabled_by_slots) return 'full';
  if (location.disabled_by_cpu_type) return 'not for this processor';
  if (location.disabled_by_cpu_freq) return 'not at this frequency';
  return location.disabled_by_os ? 'not for this system' : undefined;
}

function bandwidthText({ bandwidth_tariff: tariff }: VpsLocation, currency: Currency): string {
  if (tariff === null) return 'as the plan has it';
  const { min_value, max_value, step, unit } = tariff;
  return `${min_value} to ${max_value} ${unit}, ${money(tariff.price, currency)} for each ${step} more`;
}
