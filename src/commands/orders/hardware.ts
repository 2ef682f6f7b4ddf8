import type { DsOrder } from '../../provider/endpoints/ds.ts';
import type { VpsOrder } from '../../provider/endpoints/vps-orders.ts';

/** `2 cores of at least 2.4 GHz · 4 GB RAM · 40 GB disk · x86_64` */
export function configurationLine(configuration: VpsOrder['configuration']): string {
  if (configuration === null) return '';
  const { cpu_count: cores, ram_size: ram, disk_size: disk, cpu_arch: arch, min_cpu_freq: frequency } = configuration;
  const atLeast = frequency === null ? '' : ` of at least ${frequency} GHz`;
  return joined([
    cores === null ? '' : `${sayCores(cores)}${atLeast}`,
    ram === null ? '' : `${ram} GB RAM`,
    disk === null ? '' : `${disk} GB disk`,
    arch ?? '',
  ]);
}

/** `Intel Xeon E3-1230 v6 · 4 cores · 32 GB RAM · 2 x 480 GB SSD` */
export function hardwareLine(configuration: DsOrder['configuration']): string {
  if (configuration === null) return '';
  const { cpu, cpu_count: cores, memory, disks } = configuration;
  return joined([
    cpu,
    cores === null ? '' : sayCores(cores),
    memory === null ? '' : `${memory} GB RAM`,
    disks.replaceAll('\n', ', '),
  ]);
}

function sayCores(cores: number): string {
  return `${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

function joined(words: readonly string[]): string {
  return words.filter((word) => word !== '').join(' · ');
}
