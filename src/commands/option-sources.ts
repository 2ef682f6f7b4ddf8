import type { Account } from '../core/account.ts';
import { ProviderError } from '../core/errors.ts';
import type { FormOption } from '../core/form.ts';
import type { OptionSource } from '../core/option-source.ts';
import type { Reader } from '../provider/client.ts';
import { priceWriter } from './catalogue/prices.ts';

/**
 * Search as you type for what only the provider can list, by the name that `searched` gives. SSH keys are not here: the
 * API cannot list them, so they are typed by id.
 */
export const sources: Readonly<Record<string, OptionSource<Reader>>> = {
  templates: catalogue(async ({ reader, server }) => {
    const items = await (server === undefined
      ? reader.vpsOrders.templates()
      : reader.reinstall.templates({ order_id: server }));
    return items.map((item) => option(item.id, item.name, [item.os, item.panel, item.arch]));
  }),
  apps: catalogue(async ({ reader, server }) => {
    const items = await (server === undefined ? reader.vpsOrders.apps() : reader.reinstall.apps({ order_id: server }));
    return items.map((item) => option(item.id, item.name, [item.os]));
  }),
  snapshots: catalogue(async ({ reader, server }) => {
    const items = await (server === undefined
      ? reader.vpsOrders.snapshots()
      : reader.reinstall.snapshots({ order_id: server }));
    return items.map((item) => option(item.id, item.name, [`${item.size_gb} GB`, item.created_at.slice(0, 10)]));
  }),
  plans: catalogue(async ({ reader }) => {
    const [items, price] = await Promise.all([reader.plans.vps(), priceWriter(reader)]);
    return items.map((item) => option(item.id, `${item.name}, ${price(item.price)}`, [item.ram, item.disk]));
  }),
  locations: catalogue(async ({ reader }) =>
    (await reader.vpsOrders.locations()).map((item) =>
      option(item.value, item.label || item.value, [item.value, item.disabled_by_slots ? 'full just now' : '']),
    ),
  ),
  disks: catalogue(async ({ reader }) => {
    const items = await reader.vpsOrders.disks();
    return items.map((item) =>
      option(item.id, item.name, [item.disk_type_display, `${item.limit_total_mbytes_sec} MB/s`]),
    );
  }),
};

interface Look {
  readonly reader: Reader;
  /** The server that was chosen on an earlier page, where the list depends on it. */
  readonly server: string | undefined;
}

function catalogue(read: (look: Look) => Promise<readonly FormOption[]>): OptionSource<Reader> {
  return async ({ text, reader, account, given }) => {
    const wanted = text.trim().toLowerCase();
    try {
      const options = await read({ reader, server: serverIn(given.server?.[0], account) });
      return options.filter(({ value, label, description = '' }) =>
        [value, label, description].some((words) => words.toLowerCase().includes(wanted)),
      );
    } catch (error) {
      // A list that cannot be read is an empty one here; submitting the form says why.
      if (error instanceof ProviderError) return [];
      throw error;
    }
  };
}

function serverIn(word: string | undefined, account: Account): string | undefined {
  const wanted = word?.toLowerCase();
  if (wanted === undefined) return undefined;
  const known = account.orders.find(
    (order) => order.kind === 'vps' && [order.id, order.label.toLowerCase()].includes(wanted),
  );
  return known?.id ?? (/^\d+-\d+$/.test(wanted) ? wanted : undefined);
}

function option(value: number | string, label: string, about: readonly (string | null)[]): FormOption {
  const description = about.filter(Boolean).join(' · ');
  return { value: String(value), label, ...(description === '' ? {} : { description }) };
}
