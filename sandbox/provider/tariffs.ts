import { diskClasses } from './catalog.ts';
import type { SimConfiguration } from './model.ts';
import type { SimPlan } from './offer.ts';

/** The provider's four plan lists. */

const nvme = diskClasses[0] ?? null;

export const vpsPlans = [
  vpsPlan(101, 'Cloud NVMe 1', [1, 2, 20], 3.5),
  vpsPlan(102, 'Cloud NVMe 2', [2, 4, 40], 5.5),
  vpsPlan(103, 'Cloud NVMe 4', [4, 8, 80], 10),
  vpsPlan(104, 'Cloud NVMe 8', [8, 16, 160], 20),
  vpsPlan(105, 'Cloud NVMe 16', [16, 32, 300], 40),
  { ...vpsPlan(106, 'Cloud Storage 2', [2, 4, 200], 8), disk_class: null },
];

function vpsPlan(id: number, name: string, [cores, ramGb, diskGb]: readonly [number, number, number], price: number) {
  return {
    id,
    name,
    cpu_count: cores,
    ram: `${ramGb} GB`,
    disk: `${diskGb} GB`,
    bandwidth: '200 Mbps',
    price,
    disk_class: nvme,
  };
}

/** The numbers behind the words of a plan. */
export function configurationOf(plan: SimPlan): SimConfiguration {
  return {
    cpu_count: plan.cpu_count,
    ram_size: Number.parseInt(plan.ram, 10),
    disk_size: Number.parseInt(plan.disk, 10),
    cpu_arch: 'x86_64',
    min_cpu_freq: 2.4,
    disk_class: plan.disk_class?.id ?? null,
  };
}

const everywhere = [
  ['de', 'Germany'],
  ['nl', 'Netherlands'],
];

export const dedicatedPlans = [
  {
    id: 301,
    name: 'DS-E3',
    cpu_model: 'Intel Xeon E3-1230 v6',
    cpu_count: 4,
    ram: '32 GB DDR4',
    disk: '2 x 480 GB SSD',
    bandwidth: '1 Gbps, 10 TB',
    price: 27,
    locations: everywhere,
  },
  {
    id: 302,
    name: 'DS-R5',
    cpu_model: 'AMD Ryzen 5 3600',
    cpu_count: 6,
    ram: '64 GB DDR4',
    disk: '2 x 1 TB NVMe',
    bandwidth: '1 Gbps, 20 TB',
    price: 32,
    locations: everywhere.slice(0, 1),
  },
  {
    id: 303,
    name: 'DS-EPYC',
    cpu_model: 'AMD EPYC 7443P',
    cpu_count: 24,
    ram: '128 GB DDR4',
    disk: '2 x 1.92 TB NVMe',
    bandwidth: '10 Gbps, 50 TB',
    price: 189,
    locations: everywhere,
  },
];

export const hostingPlans = [
  { id: 1, name: 'Start', sites: 1, price: 2.1, cpu_cores: 1, hdd_space: 5, available_locations: ['de', 'nl'] },
  { id: 2, name: 'Business', sites: 10, price: 4.9, cpu_cores: 2, hdd_space: 25, available_locations: ['de', 'nl'] },
  { id: 3, name: 'Unlimited', sites: null, price: 9.9, cpu_cores: 4, hdd_space: null, available_locations: ['de'] },
];

export const backupPlans = [
  { space: 50, price: 1, units: 'GB' },
  { space: 100, price: 2, units: 'GB' },
  { space: 500, price: 8.5, units: 'GB' },
  { space: 1000, price: 15, units: 'GB' },
];
