import type { SimConfiguration, SimOrder, VpsPart } from './model.ts';
import { createPassword } from './password.ts';

/** An order with defaults for all other fields. */
export function newOrder(
  fields: Partial<SimOrder> & Pick<SimOrder, 'id' | 'kind' | 'createdAt' | 'expiresAt'>,
): SimOrder {
  return {
    number: Number(fields.id.split('-')[1]),
    name: '',
    tariff: '',
    tariffPrice: null,
    hostname: null,
    addresses: null,
    moreAddresses: [],
    reverseDns: {},
    status: 'active',
    costMonth: 0,
    termMonths: 1,
    isAutorenewed: true,
    tags: [],
    hasCancelMark: false,
    hasBackupOnCancel: false,
    cancelAt: null,
    projectId: null,
    vps: null,
    ds: null,
    storage: null,
    nameservers: null,
    ...fields,
  };
}

/** An order's server in its initial state. */
export function newServer(
  choices: { readonly configuration: SimConfiguration | null } & Pick<VpsPart, 'location' | 'powerChangedAt' | 'paid'> &
    Partial<VpsPart>,
): VpsPart {
  return {
    os: 'Debian 12',
    power: 'on',
    isRescue: false,
    isPrivateNetworkEnabled: false,
    runningJob: null,
    sshKeys: [],
    installedSshKeys: [],
    password: createPassword(),
    webhook: null,
    ...choices,
  };
}
