import type { Account } from '../core/account/account.ts';
import { fingerprintOfLine } from '../core/account/ssh-key.ts';
import type { OptionSource } from '../core/command/command.ts';
import { firstFew, money } from '../core/text/words.ts';
import { parseProviderDate, sayDay } from '../core/view/days.ts';
import { ifReadable } from '../core/view/errors.ts';
import type { FormOption } from '../core/view/form.ts';
import { plain } from '../core/view/view.ts';
import type { Reader } from '../provider/client.ts';
import type { ProviderSshKey } from '../provider/endpoints/account.ts';
import { imagesFor, newImages } from './servers/images.ts';
import { defaultKeys, titleOf } from './ssh-keys/keys.ts';

/** Search-as-you-type sources that only the provider can list, by the source name in `searched`. */
export const sources: Readonly<Record<string, OptionSource<Reader>>> = {
  templates: catalog(async (query) =>
    (await imagesIn(query).template()).map(({ id, name, os, panel, arch }) => option(id, name, [os, panel, arch])),
  ),
  apps: catalog(async (query) => (await imagesIn(query).app()).map(({ id, name, os }) => option(id, name, [os]))),
  snapshots: catalog(async (query) =>
    (await imagesIn(query).snapshot()).map(({ id, name, size_gb, created_at }) =>
      option(id, name, [`${size_gb} GB`, parseProviderDate(created_at) && plain(sayDay(created_at))]),
    ),
  ),
  plans: catalog(async ({ reader, currency: readCurrency }) => {
    const [items, currency] = await Promise.all([reader.plans.vps(), readCurrency()]);
    return items.map((item) => option(item.id, `${item.name}, ${money(item.price, currency)}`, [item.ram, item.disk]));
  }),
  locations: catalog(async ({ reader }) =>
    (await reader.vpsOrders.locations()).map((item) =>
      option(item.value, item.label || item.value, [item.value, item.disabled_by_slots ? 'full just now' : '']),
    ),
  ),
  'ssh-keys': catalog(async ({ reader }) => (await reader.sshKeys.list()).map(sshKeyOption)),
  'ssh-keys-or-default': catalog(async ({ reader }) => {
    const keys = await reader.sshKeys.list();
    const marked = keys.filter((key) => key.default === true).map(titleOf);
    return [
      ...(marked.length === 0 ? [] : [option(defaultKeys, 'The default keys', [firstFew(marked, 3)])]),
      ...keys.map(sshKeyOption),
    ];
  }),
  buckets: catalog(async ({ reader }) =>
    (await reader.s3.list()).map((item) => option(item.id, item.name || item.bucket_name, [item.bucket_name])),
  ),
  disks: catalog(async ({ reader }) => {
    const items = await reader.vpsOrders.disks();
    return items.map((item) =>
      option(item.id, item.name, [item.disk_type_display, `${item.limit_total_mbytes_sec} MB/s`]),
    );
  }),
};

type Asked = Parameters<OptionSource<Reader>>[0];
/** `server`: the one chosen on an earlier page, if the list depends on it. */
type Look = Pick<Asked, 'currency' | 'reader'> & { readonly server: string | undefined };

function imagesIn({ reader, server }: Look) {
  return server === undefined ? newImages(reader) : imagesFor(reader, server);
}

function catalog(read: (query: Look) => Promise<readonly FormOption[]>): OptionSource<Reader> {
  return async ({ text, reader, account, currency, chosen }) => {
    const wanted = text.trim().toLowerCase();
    // An unreadable list is shown as empty; the submitted form reports why.
    const options = await ifReadable(read({ reader, currency, server: serverIn(chosen.server?.[0], account) }));
    return (options ?? []).filter(({ value, label, description = '' }) =>
      [value, label, description].some((words) => words.toLowerCase().includes(wanted)),
    );
  };
}

function serverIn(word: string | undefined, account: Account): string | undefined {
  const wanted = word?.toLowerCase();
  if (wanted === undefined) return undefined;
  const server = account.orders.find(
    (order) => order.kind === 'vps' && [order.id, order.label.toLowerCase()].includes(wanted),
  );
  return server?.id ?? (/^\d+-\d+$/.test(wanted) ? wanted : undefined);
}

function sshKeyOption(key: ProviderSshKey): FormOption {
  return option(key.id, titleOf(key), [fingerprintOfLine(key.key) ?? '', key.default === true ? 'default' : '']);
}

function option(value: number | string, label: string, about: readonly (string | null | undefined)[]): FormOption {
  const description = about.filter(Boolean).join(' · ');
  return { value: String(value), label, ...(description === '' ? {} : { description }) };
}
