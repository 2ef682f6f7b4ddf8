import { accountTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count, money } from '../../core/text/words.ts';
import { type Button, type Columns, dotted, type Row, type View } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { formButton, runButton } from '../buttons.ts';
import { listView } from '../list.ts';
import type { Item } from './find.ts';

type Currency = string | undefined;
interface Table {
  readonly columns: Columns;
  readonly rows: readonly Row[];
}

export const planKinds = ['plans', 'dedicated', 'hosting', 'backups'] as const;
type Kind = (typeof planKinds)[number];

export function isPlanKind(kind: string): kind is Kind {
  return planKinds.some((candidate) => candidate === kind);
}

const titles: Readonly<Record<Kind, string>> = {
  plans: 'Plans for servers',
  dedicated: 'Plans for dedicated servers',
  hosting: 'Plans for web hosting',
  backups: 'Plans for backups',
};

const columns = [{ name: 'Name' }, { name: 'A month' }, { name: 'What it has' }] as const;

const tables: Readonly<Record<Kind, (reader: Reader, currency: Currency) => Promise<Table>>> = {
  plans: async (reader, currency) => ({
    columns,
    rows: cheapestFirst(await reader.plans.vps()).map((plan) => [
      withId(plan),
      money(plan.price, currency),
      dotted([
        count(plan.cpu_count, 'core'),
        plan.ram,
        [plan.disk, plan.disk_class?.name].filter(Boolean).join(' '),
        plan.bandwidth,
      ]),
    ]),
  }),
  dedicated: async (reader, currency) => ({
    columns,
    rows: cheapestFirst(await reader.plans.dedicated()).map((plan) => [
      withId(plan),
      money(plan.price, currency),
      dotted([
        [plan.cpu_model, plan.cpu_count === null ? '' : count(plan.cpu_count, 'core')].filter(Boolean).join(', '),
        plan.ram,
        plan.disk,
        plan.bandwidth,
        plan.locations.map(placeText).join(', '),
      ]),
    ]),
  }),
  hosting: async (reader, currency) => ({
    columns,
    rows: cheapestFirst(await reader.plans.hosting()).map((plan) => [
      withId(plan),
      money(plan.price, currency),
      // For the API, null means no limit or no value.
      dotted([
        plan.sites === null ? 'any number of sites' : count(plan.sites, 'site'),
        plan.cpu_cores === null ? '' : count(plan.cpu_cores, 'core'),
        plan.hdd_space === null ? 'no limit of disk space' : `${plan.hdd_space} GB`,
        plan.available_locations.join(', '),
      ]),
    ]),
  }),
  backups: async (reader, currency) => ({
    columns: [{ name: 'Space' }, { name: 'A month' }],
    rows: cheapestFirst(await reader.plans.backups()).map((plan) => [
      `${plan.space} ${plan.units}`,
      money(plan.price, currency),
    ]),
  }),
};

/** `Cloud NVMe 1 (101)`: a line names an item of the catalog by either. */
export function withId({ name, id }: Item): string {
  return `${name} (${id})`;
}

/** `Netherlands (nl)`: the name may be in another language; the code is always the same. */
export function placeText([code, name]: readonly [code: string, name: string]): string {
  return name === '' || name === code ? code : `${name} (${code})`;
}

/** The plans of one kind, with their monthly prices. */
export async function plansView(
  kind: Kind,
  { reader, currency, may }: Pick<ReadContext<Reader>, 'reader' | 'currency' | 'may'>,
): Promise<View> {
  const { columns, rows } = await tables[kind](reader, await currency());
  const others = planKinds.filter((other) => other !== kind);
  const buttons: Button[] = [
    ...(kind === 'plans' && may('spend', accountTarget)
      ? [{ ...formButton('Create a server…', 'create'), style: 'primary' } as const]
      : []),
    ...others.map((other) => runButton(other, `catalog ${other}`)),
    runButton('systems', 'catalog systems'),
  ];
  const total = count(rows.length, 'plan');
  return listView({
    all: rows,
    columns,
    row: (cells) => cells,
    instead: 'The provider lists none.',
    total: `${titles[kind]}: ${total}`,
    foot: () => `${total}, the cheapest first`,
    above: [{ kind: 'heading', text: titles[kind] }],
    buttons,
  });
}

function cheapestFirst<T extends { readonly price: number }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => a.price - b.price);
}
