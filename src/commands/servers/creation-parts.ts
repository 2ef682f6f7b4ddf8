import { z } from 'zod';
import { defined } from '../../core/text/defined.ts';
import { count, list } from '../../core/text/words.ts';
import { badValue, ifReadable, notFound, Refusal } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';
import type { DiskClass, VpsLocation, VpsPlan } from '../../provider/endpoints/vps-orders.ts';
import { whenEnabled } from '../catalog/enabled.ts';
import { findItem } from '../catalog/find.ts';
import type { CommandContext } from '../define.ts';
import { noNetwork } from '../networks/network.ts';
import { findSshKeys } from '../ssh-keys/keys.ts';
import type { CreationChoice } from './creation-args.ts';
import { chosenImage, type Image, imageOf, newImages } from './images.ts';

/** Resolves the words for a new server in the provider's catalogs. */

export type CreationParts = Awaited<ReturnType<typeof partsOf>>;

const terms = { '1': 1, '3': 3, '6': 6, '12': 12 } as const;

/** Refuses contradictory words before anything is read from the provider. */
export async function partsOf(choices: CreationChoice, { reader }: CommandContext) {
  const choice = chosenHardware(choices);
  const systems = { label: 'Systems', command: 'catalog systems' };
  const software = chosenImage(choices, 'See /host catalog systems.', systems);
  const [plans, image, location, diskClass, services, network, keys] = await Promise.all([
    choice.kind === 'plan' ? reader.plans.vps() : [],
    whenEnabled(imageOf(software, newImages(reader))),
    locationOf(choices.location, reader),
    choices.disk_class === undefined ? undefined : diskClassOf(choices.disk_class, reader),
    servicesOf(choices.services ?? [], reader),
    choices.private_network ? networkOf(reader) : undefined,
    keysFor(choices.ssh_keys ?? [], reader),
  ]);
  const hardware = hardwareOf(choice, plans);
  mustFit(hardware, image, location);
  return {
    hardware,
    image,
    location,
    diskClass,
    bandwidth: choices.bandwidth,
    services,
    network,
    ...keys,
    term: terms[choices.term],
  };
}

async function locationOf(word: string, reader: Reader): Promise<VpsLocation> {
  const items = (await reader.vpsOrders.locations()).map((location) => ({
    id: location.value,
    name: location.label || location.value,
    location,
  }));
  return findItem(word, items, { noun: 'place', field: 'location', see: 'catalog locations' }).location;
}

async function diskClassOf(word: string, reader: Reader): Promise<DiskClass> {
  const disks = await reader.vpsOrders.disks();
  return findItem(word, disks, { noun: 'disk class', field: 'disk_class', see: 'catalog disks' });
}

/** Parses service ids with an optional count: `2`, `2x3`. */
async function servicesOf(words: readonly string[], reader: Reader) {
  if (words.length === 0) return [];
  const services = await whenEnabled(reader.vpsOrders.services());
  return words.map((word) => {
    const [id = '', count = '1'] = word.toLowerCase().split('x');
    const service = services.find((candidate) => candidate.id === Number(id));
    if (service !== undefined) return { service, count: Number(count) };
    throw notFound(`There is no extra service ${id}.`, 'See /host catalog services.', 'services');
  });
}

/**
 * The keys, and the account's default keys that were not requested; undefined if the keys could not be read. Unreadable
 * keys refuse only requests that name a key.
 */
async function keysFor(words: readonly string[], reader: Reader) {
  const reading = reader.sshKeys.list();
  const all = await (words.length === 0 ? ifReadable(reading) : reading);
  if (all === undefined) return { sshKeys: [], leftOutKeys: undefined };
  const sshKeys = findSshKeys(words, all);
  return { sshKeys, leftOutKeys: all.filter((key) => key.default === true && !sshKeys.includes(key)) };
}

/** An account has at most one private network. */
async function networkOf(reader: Reader): Promise<number> {
  const [network] = await reader.privateNetworks.list();
  if (network !== undefined) return network.id;
  throw noNetwork('private_network');
}

/**
 * The body of the request without the webhook, which is added right before sending, so that its secret is never stored.
 */
export const creationBody = z.object({
  tariff: z.int().exactOptional(),
  configuration: z
    .object({
      cpu_count: z.int(),
      ram_size: z.int(),
      disk_size: z.int(),
      cpu_arch: z.enum(['x86_64', 'arm']),
      min_cpu_freq: z.string().exactOptional(),
      disk_class: z.int().exactOptional(),
    })
    .exactOptional(),
  template: z.int().exactOptional(),
  app: z.int().exactOptional(),
  snapshot: z.int().exactOptional(),
  location: z.string(),
  term: z.literal([1, 3, 6, 12]),
  services: z.array(z.object({ service: z.int(), count: z.int() })).exactOptional(),
  ssh_keys: z.array(z.int()),
  name: z.string().exactOptional(),
  project: z.int().exactOptional(),
  disk_class: z.int().exactOptional(),
  bandwidth: z.int().exactOptional(),
  placement_policy: z.enum(['STRICT', 'OPTIONAL']).exactOptional(),
  placement_group: z.int().exactOptional(),
  private_network: z.int().exactOptional(),
  tags: z.array(z.string()).exactOptional(),
});
export type CreationBody = z.infer<typeof creationBody>;

/** Contains only the requested fields; the provider has defaults for the others. */
export function bodyOf(choices: CreationChoice, parts: CreationParts): CreationBody {
  const { hardware, image, location, diskClass, services, network } = parts;
  const { name, tags, project, bandwidth, placement, placement_group } = choices;
  return {
    ...hardwareBody(parts),
    [image.kind]: image.id,
    location: location.value,
    term: parts.term,
    // Always sent: the provider adds no keys by itself, with or without the list.
    ssh_keys: parts.sshKeys.map(({ id }) => id),
    ...(services.length > 0 && { services: services.map(({ service, count }) => ({ service: service.id, count })) }),
    ...defined({ name, tags: tags && [...tags], project: project?.id, bandwidth }),
    ...defined({ disk_class: hardware.kind === 'plan' ? diskClass?.id : undefined }),
    ...defined({ placement_policy: placement, placement_group, private_network: network }),
  };
}

/** The disk class belongs inside a configuration but next to a plan; the provider accepts it in one place only. */
function hardwareBody({ hardware, diskClass }: CreationParts): Pick<CreationBody, 'tariff' | 'configuration'> {
  if (hardware.kind === 'plan') return { tariff: hardware.plan.id };
  const { min_cpu_freq, ...sizes } = hardware.configuration;
  return { configuration: { ...sizes, ...defined({ min_cpu_freq, disk_class: diskClass?.id }) } };
}

/** The hardware of a new server: a plan or a configuration, never both. */

type HardwareWords = Pick<CreationChoice, 'arch' | 'cpu' | 'disk' | 'frequency' | 'plan' | 'ram'>;

type HardwareChoice = ReturnType<typeof chosenHardware>;
export type Hardware =
  | { readonly kind: 'plan'; readonly plan: VpsPlan }
  | Extract<HardwareChoice, { readonly kind: 'configuration' }>;

const parts = ['cpu', 'ram', 'disk'] as const;

/** Checks the words alone, without reading from the provider. */
export function chosenHardware(words: HardwareWords) {
  const custom = [...parts, 'arch', 'frequency'] as const;
  const chosen = custom.filter((name) => words[name] !== undefined);
  const [first] = chosen;
  if (words.plan !== undefined) {
    if (first === undefined) return { kind: 'plan', word: words.plan } as const;
    const hint = 'Leave out the plan for a configuration of your own, or the rest for the plan.';
    throw badValue(`A plan and ${list(chosen)} are given: a server is made of one or the other.`, hint, first);
  }
  const { cpu, ram, disk, arch = 'x86_64', frequency } = words;
  if (cpu !== undefined && ram !== undefined && disk !== undefined) {
    const sizes = { cpu_count: cpu, ram_size: ram, disk_size: disk };
    return { kind: 'configuration', configuration: { ...sizes, cpu_arch: arch, min_cpu_freq: frequency } } as const;
  }
  if (first === undefined) {
    const show = { label: 'Plans', command: 'catalog plans' };
    throw badValue('Name a plan, or cpu, ram and disk.', 'See /host catalog plans.', 'plan', show);
  }
  const missing = parts.filter((name) => words[name] === undefined);
  const lacking = `${list(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`;
  const text = `A configuration needs cpu, ram and disk: ${lacking}.`;
  throw new Refusal('bad_value', text, defined({ field: missing[0] }));
}

export function hardwareOf(choice: HardwareChoice, plans: readonly VpsPlan[]): Hardware {
  if (choice.kind === 'configuration') return choice;
  return { kind: 'plan', plan: findItem(choice.word, plans, { noun: 'plan', field: 'plan', see: 'catalog plans' }) };
}

/** Refuses parts that are known to be incompatible; the provider checks the others. */
export function mustFit(hardware: Hardware, image: Image, location: VpsLocation): void {
  if (hardware.kind === 'plan') return;
  const { cpu_arch, min_cpu_freq } = hardware.configuration;
  if (image.kind === 'template' && (image.arch === 'x86_64' || image.arch === 'arm') && image.arch !== cpu_arch) {
    const hint = 'Choose another template, or set arch.';
    throw badValue(`${image.name} is made for ${image.arch}, and the server would be ${cpu_arch}.`, hint, 'template');
  }
  const offered = location.available_frequencies[cpu_arch] ?? [];
  if (min_cpu_freq === undefined || offered.length === 0) return;
  if (offered.some((frequency) => Number(frequency) >= Number(min_cpu_freq))) return;
  const place = location.label || location.value;
  const hint = `It has ${list(offered)} GHz.`;
  throw badValue(`${place} has no ${cpu_arch} processor of ${min_cpu_freq} GHz.`, hint, 'frequency');
}

/** The provider rounds a frequency up to the next available one, which raises the price. */
function sayFrequency(wanted: string, arch: string, location: VpsLocation | undefined): string {
  const offered = (location?.available_frequencies[arch] ?? []).map(Number).toSorted((a, b) => a - b);
  const next = offered.find((frequency) => frequency >= Number(wanted)) ?? Number(wanted);
  if (next === Number(wanted)) return `at least ${wanted} GHz`;
  return `at least ${next} GHz (the provider raises ${wanted} to the next that it has, and the price with it)`;
}

export function sayHardware(hardware: Hardware, location?: VpsLocation): string {
  if (hardware.kind === 'plan') {
    const { name, cpu_count, ram, disk } = hardware.plan;
    return `${name}: ${[count(cpu_count, 'core'), ram && `${ram} memory`, disk && `${disk} disk`].filter(Boolean).join(', ')}`;
  }
  const { cpu_count, ram_size, disk_size, cpu_arch, min_cpu_freq } = hardware.configuration;
  const frequency = min_cpu_freq === undefined ? '' : `, ${sayFrequency(min_cpu_freq, cpu_arch, location)}`;
  return `own configuration: ${count(cpu_count, 'core')} ${cpu_arch}${frequency}, ${ram_size} GB memory, ${disk_size} GB disk`;
}

/** The disk in GB; undefined if the plan's text has no size. */
export function diskGb(hardware: Hardware): number | undefined {
  if (hardware.kind === 'configuration') return hardware.configuration.disk_size;
  const [, size] = /^(\d+(?:\.\d+)?)\s*GB$/i.exec(hardware.plan.disk.trim()) ?? [];
  return size === undefined ? undefined : Number(size);
}
