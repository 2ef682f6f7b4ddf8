import { defined } from '../../core/text/defined.ts';
import { count, list } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { VpsPlan } from '../../provider/endpoints/plans.ts';
import type { VpsLocation } from '../../provider/endpoints/vps-orders.ts';
import { findItem } from '../catalog/find.ts';
import type { CreationChoice } from './creation-args.ts';
import type { Image } from './images.ts';

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
    throw new Refusal('bad_value', `A plan and ${list(chosen)} are given: a server is made of one or the other.`, {
      hint: 'Leave out the plan for a configuration of your own, or the rest for the plan.',
      field: first,
    });
  }
  const { cpu, ram, disk, arch = 'x86_64', frequency } = words;
  if (cpu !== undefined && ram !== undefined && disk !== undefined) {
    const sizes = { cpu_count: cpu, ram_size: ram, disk_size: disk };
    return { kind: 'configuration', configuration: { ...sizes, cpu_arch: arch, min_cpu_freq: frequency } } as const;
  }
  if (first === undefined) {
    throw new Refusal('bad_value', 'Name a plan, or cpu, ram and disk.', {
      hint: 'See /host catalog plans.',
      suggestions: [{ label: 'Plans', command: 'catalog plans' }],
      field: 'plan',
    });
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
    throw new Refusal('bad_value', `${image.name} is made for ${image.arch}, and the server would be ${cpu_arch}.`, {
      hint: 'Choose another template, or set arch.',
      field: 'template',
    });
  }
  const offered = location.available_frequencies[cpu_arch] ?? [];
  if (min_cpu_freq === undefined || offered.length === 0) return;
  if (offered.some((frequency) => Number(frequency) >= Number(min_cpu_freq))) return;
  const place = location.label || location.value;
  throw new Refusal('bad_value', `${place} has no ${cpu_arch} processor of ${min_cpu_freq} GHz.`, {
    hint: `It has ${list(offered)} GHz.`,
    field: 'frequency',
  });
}

/** The provider rounds a frequency up to the next available one, which raises the price. */
function sayFrequency(wanted: string, arch: string, location: VpsLocation | undefined): string {
  const offered = (location?.available_frequencies[arch] ?? []).map(Number).toSorted((a, b) => a - b);
  const next = offered.find((frequency) => frequency >= Number(wanted)) ?? Number(wanted);
  return next === Number(wanted)
    ? `at least ${wanted} GHz`
    : `at least ${next} GHz (the provider raises ${wanted} to the next that it has, and the price with it)`;
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
