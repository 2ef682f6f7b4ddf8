import type { BandwidthTariff, SimTemplate } from './offer.ts';

/** The provider's offer: the six VPS catalogs. */

export const diskClasses = [
  diskClass(1, 'NVMe', [600, 20_000, 15_000], '0.0300', 'nvme', 'NVMe'),
  diskClass(2, 'SSD', [300, 8000, 6000], '0.0200', 'ssd', 'SSD'),
  diskClass(3, 'HDD archive', [120, 400, 300], '0.0080', 'hdd', 'HDD'),
];

function diskClass(
  id: number,
  name: string,
  limits: readonly [total: number, read: number, write: number],
  pricePerGb: string,
  type: string,
  label: string,
) {
  return {
    id,
    name,
    limit_total_mbytes_sec: limits[0],
    limit_read_iops_sec: limits[1],
    limit_write_iops_sec: limits[2],
    price_per_gb: pricePerGb,
    disk_type: type,
    disk_type_display: label,
  };
}

export const templates: readonly SimTemplate[] = [
  template(1, 'Debian 12', 'linux', null, 'x86_64'),
  template(2, 'Debian 13', 'linux', null, 'x86_64'),
  template(3, 'Ubuntu 22.04', 'linux', '', 'x86-64'),
  template(4, 'Ubuntu 24.04', 'linux', '', 'x86_64'),
  template(5, 'AlmaLinux 9', 'linux', null, 'x86_64'),
  template(6, 'Rocky Linux 9', 'linux', null, 'x86_64'),
  template(7, 'FreeBSD 14', 'freebsd', null, 'x86_64'),
  template(8, 'Debian 12 arm', 'linux', null, 'arm'),
  template(9, 'Ubuntu 24.04 arm', 'linux', null, 'arm'),
  template(10, 'Ubuntu 22.04 + FASTPANEL', 'linux', 'FASTPANEL', 'x86-64', [20, 2, 1]),
  template(11, 'Debian 12 + ISPmanager', 'linux', 'ISPmanager 6', 'x86_64', [20, 2, 1]),
  template(12, 'Windows Server 2022', 'windows', null, 'x86_64', [40, 4, 2]),
];

function template(
  id: number,
  name: string,
  os: string,
  panel: string | null,
  arch: string,
  [storage, ram, cores]: readonly (number | null)[] = [],
): SimTemplate {
  return {
    id,
    name,
    os,
    panel,
    arch,
    min_storage_space: storage ?? null,
    min_ram_volume: ram ?? null,
    min_cpu_cores: cores ?? null,
  };
}

export const apps = [
  { id: 1, name: 'Docker', os: 'Debian 12' },
  { id: 2, name: 'GitLab CE', os: 'Ubuntu 24.04' },
  { id: 3, name: 'LAMP', os: 'Debian 12' },
  { id: 4, name: 'Nextcloud', os: 'Ubuntu 24.04' },
  { id: 5, name: 'OpenVPN', os: 'Debian 12' },
  { id: 6, name: 'WordPress', os: 'Ubuntu 22.04' },
  { id: 7, name: 'WireGuard', os: 'Ubuntu 24.04' },
];

const bandwidth: BandwidthTariff = {
  min_value: '100.00',
  max_value: '1000.00',
  step: '100.00',
  price: '0.50',
  unit: 'mbps',
};
const frequencies = { x86_64: ['2.4', '3.1', '4.2'], arm: ['3.0'] };

export const locations = [
  location('de', 'Germany', bandwidth),
  location('nl', 'Netherlands', bandwidth),
  location('es', 'Spain', null),
  location('us', 'USA', {
    ...bandwidth,
    min_value: '1.00',
    max_value: '10.00',
    step: '1.00',
    price: '4.00',
    unit: 'gbps',
  }),
  { ...location('ch', 'Switzerland', null), disabled_by_slots: true },
];

function location(value: string, label: string, tariff: BandwidthTariff | null) {
  return {
    value,
    label,
    location_os_types: ['linux', 'freebsd', 'windows'],
    bandwidth_tariff: tariff,
    disabled_by_slots: false,
    disabled_by_cpu_freq: false,
    disabled_by_os: false,
    disabled_by_cpu_type: false,
    available_frequencies: frequencies,
  };
}

export const services = [
  { id: 1, name: 'Extra IPv4 address', description: 'One more IPv4 address', price: '2.00', billing_type: 'periodic' },
  { id: 2, name: 'Weekly backup', description: 'Kept for four weeks', price: '1.50', billing_type: 'periodic' },
  { id: 3, name: 'ISPmanager 6 Lite', description: 'License for ten sites', price: '4.90', billing_type: 'periodic' },
  { id: 4, name: 'Migration by our engineers', description: '', price: '25.00', billing_type: 'single' },
];

export const networkLocations = [
  { id: 1, location: { value: 'de', label: 'Germany' } },
  { id: 2, location: { value: 'nl', label: 'Netherlands' } },
];
