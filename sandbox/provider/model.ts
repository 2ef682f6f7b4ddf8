import type { ProviderOffer } from './offer.ts';

export type OrderKind = 'vps' | 'ds' | 'backup' | 'domain' | 'storage';

export const orderStatuses = [
  'unpaid',
  'pending',
  'active',
  'expired',
  'disabled',
  'canceled',
  'blocked',
  'noprolong',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];

export const powers = ['on', 'off', 'unknown'] as const;
export type SimPower = (typeof powers)[number];

export const recordTypes = ['A', 'AAAA', 'CAA', 'CNAME', 'MX', 'NS', 'SRV', 'TXT'] as const;
export type SimRecordType = (typeof recordTypes)[number];

export interface SimConfiguration {
  cpu_count: number | null;
  ram_size: number | null;
  disk_size: number | null;
  cpu_arch: string | null;
  min_cpu_freq: number | string | null;
  disk_class: number | null;
}

/** The time from power on until a server answers from outside: seconds, longer, or until another boot. */
export type Boot = 'usual' | 'late' | 'silent';

export interface VpsPart {
  configuration: SimConfiguration | null;
  location: string;
  os: string;
  power: SimPower;
  powerChangedAt: number;
  /** The last boot; absent before the first. */
  boot?: Boot;
  isRescue: boolean;
  isPrivateNetworkEnabled: boolean;
  runningJob: number | null;
  /** The linked keys, which the next installation writes. */
  sshKeys: number[];
  /** The keys of the last installation. */
  installedSshKeys: number[];
  password: string;
  webhook: { url: string; secret: string } | null;
  /** The price paid at the creation, which is refunded if the creation fails. */
  paid: number;
}

export interface DsPart {
  cpu_count: number | null;
  cpu: string;
  motherboard: string;
  chassis: string;
  bandwidth: number | null;
  memory: number | null;
  raid_controller: string;
  network_adapter: string;
  disks: string;
  trafficLimitBytes: number;
  trafficBytesPerSec: number;
}

export interface StoragePart {
  accessKey: string;
  secretKey: string;
  bucket: string;
  usedGb: number;
  /** The free space at which the provider warns; 0 turns the warning off. */
  warnAtFreeGb: number;
}

/** An order. Null stands for a value that the account of a copy did not have either. */
export interface SimOrder {
  id: string;
  /** The provider's number of the order, after the prefix; it sorts lists. */
  number: number;
  kind: OrderKind;
  /** The type of an order that is of no kind above. */
  type?: string;
  name: string;
  tariff: string;
  tariffPrice: number | null;
  hostname: string | null;
  addresses: string[] | null;
  /** Addresses that only the list of addresses contains. */
  moreAddresses: string[];
  reverseDns: Record<string, string>;
  /** The place of its addresses; that of the server if absent. */
  location?: string;
  status: OrderStatus | (string & {});
  costMonth: number | null;
  termMonths: number;
  createdAt: number;
  expiresAt: number | null;
  isAutorenewed: boolean;
  tags: string[];
  hasCancelMark: boolean | null;
  hasBackupOnCancel: boolean;
  cancelAt: number | null;
  projectId: number | null;
  vps: VpsPart | null;
  ds: DsPart | null;
  storage: StoragePart | null;
  nameservers: string | null;
}

export type JobKind =
  | 'start'
  | 'stop'
  | 'restart'
  | 'rescue_mode'
  | 'stop_rescue_mode'
  | 'hard_reset'
  | 'passwd_reset'
  | 'reinstall'
  | 'create';

export interface SimJob {
  pk: number;
  orderId: string;
  kind: JobKind;
  note: string;
  user: string;
  startedAt: number;
  /** Null: the job hangs. */
  dueAt: number | null;
  willEnd: 'done' | 'error';
  state: 'ready' | 'done' | 'error';
  powerBefore: SimPower;
  os: string | null;
}

export interface SimDnsEntry {
  id: number;
  host: string;
  /** One of recordTypes, or another type of a copied zone. */
  type: SimRecordType | (string & {});
  prio: number | null;
  value: string;
  ttl: number | null;
}

export interface SimDomain {
  name: string;
  createdAt: number | null;
  updatedAt: number | null;
  tags: string[];
  entries: Map<number, SimDnsEntry>;
}

export interface SimProject {
  id: number;
  name: string;
  comment: string;
  logo: { fileName: string; contentType: string; base64: string } | null;
}

export interface SimSshKey {
  id: number;
  key: string;
  title: string;
  addedAt: number;
  isDefault: boolean;
}

export interface SimTicket {
  id: string;
  subject: string;
  message: string;
  priority: number;
  order: string | null;
  status: string;
  openedAt: number;
  answers: { text: string; at: number }[];
}

export interface SimTicketWebhook {
  url: string;
  lastErrorAt: number | null;
  lastError: string | null;
}

export interface DiskSnapshot {
  id: number;
  name: string;
  sizeGb: number;
  createdAt: number;
}

export interface Invoice {
  id: number;
  orderId: string | null;
  amount: number;
  isPaid: boolean;
}

interface WebhookDelivery {
  orderId: string;
  url: string;
  at: number;
  /** The receiver's status; null without a response. */
  status: number | null;
}

/** The last durations of jobs, by kind, in milliseconds. */
export type JobTimes = { readonly [Kind in JobKind]?: readonly number[] | undefined };

interface StrayAddress {
  readonly ip: string;
  readonly location: string;
  readonly rdns: string;
}

interface Account {
  email: string;
  name: string;
  currency: string;
  balance: number;
}

export interface ProviderData {
  offer: ProviderOffer;
  jobTimes: JobTimes;
  /** Addresses without an order. */
  strayAddresses: readonly StrayAddress[];
  account: Account;
  invoices: Map<number, Invoice>;
  projects: Map<number, SimProject>;
  orders: Map<string, SimOrder>;
  jobs: Map<number, SimJob>;
  domains: Map<string, SimDomain>;
  networks: Map<number, { id: number }>;
  snapshots: Map<number, DiskSnapshot>;
  sshKeys: Map<number, SimSshKey>;
  tickets: Map<string, SimTicket>;
  ticketWebhook: SimTicketWebhook;
  deliveries: WebhookDelivery[];
  next: Record<
    'vps' | 'job' | 'entry' | 'project' | 'snapshot' | 'invoice' | 'network' | 'address' | 'sshKey' | 'ticket',
    number
  >;
}

/** The whole state as JSON, which `snapshot()` returns and the option `state` restores. */
export interface ProviderSnapshot {
  version: 2;
  clockOffsetMs: number;
  /** Absent: the usual one. */
  offer?: ProviderOffer;
  jobTimes?: JobTimes;
  strayAddresses?: readonly StrayAddress[];
  account: Account;
  invoices: Invoice[];
  projects: SimProject[];
  orders: SimOrder[];
  jobs: SimJob[];
  domains: (Omit<SimDomain, 'entries'> & { entries: SimDnsEntry[] })[];
  networks: { id: number }[];
  snapshots: DiskSnapshot[];
  sshKeys: SimSshKey[];
  tickets: SimTicket[];
  ticketWebhook: SimTicketWebhook;
  deliveries: WebhookDelivery[];
  next: ProviderData['next'];
}
