import { accountTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { count, money } from '../../core/text/words.ts';
import type { Button, Text, View, ViewPart } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { formButton, runButton } from '../buttons.ts';

type Currency = string | undefined;
interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Text[])[];
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

const tables: Readonly<Record<Kind, (reader: Reader, currency: Currency) => Promise<Table>>> = {
  plans: async (reader, currency) => ({
    columns: ['Name', 'A month', 'Cores', 'Memory', 'Disk', 'Network', 'Id'],
    rows: cheapestFirst(await reader.plans.vps()).map((plan) => [
      plan.name,
      money(plan.price, currency),
      String(plan.cpu_count),
      plan.ram,
      [plan.disk, plan.disk_class?.name].filter(Boolean).join(' '),
      plan.bandwidth,
      String(plan.id),
    ]),
  }),
  dedicated: async (reader, currency) => ({
    columns: ['Name', 'A month', 'Processor', 'Memory', 'Disk', 'Network', 'Places', 'Id'],
    rows: cheapestFirst(await reader.plans.dedicated()).map((plan) => [
      plan.name,
      money(plan.price, currency),
      [plan.cpu_model, plan.cpu_count === null ? '' : count(plan.cpu_count, 'core')].filter(Boolean).join(', '),
      plan.ram,
      plan.disk,
      plan.bandwidth,
      plan.locations.map(placeText).join(', '),
      String(plan.id),
    ]),
  }),
  hosting: async (reader, currency) => ({
    columns: ['Name', 'A month', 'Sites', 'Cores', 'Disk', 'Places', 'Id'],
    rows: cheapestFirst(await reader.plans.hosting()).map((plan) => [
      plan.name,
      money(plan.price, currency),
      // For the API, null means no limit or no value.
      plan.sites === null ? 'not limited' : String(plan.sites),
      plan.cpu_cores === null ? 'not said' : String(plan.cpu_cores),
      plan.hdd_space === null ? 'not limited' : `${plan.hdd_space} GB`,
      plan.available_locations.join(', '),
      String(plan.id),
    ]),
  }),
  backups: async (reader, currency) => ({
    columns: ['Space', 'A month'],
    rows: cheapestFirst(await reader.plans.backups()).map((plan) => [
      `${plan.space} ${plan.units}`,
      money(plan.price, currency),
    ]),
  }),
};

/** `Netherlands (nl)`: the name may be in another language; the code is always the same. */
function placeText([code, name]: readonly [code: string, name: string]): string {
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
  const table: ViewPart =
    rows.length === 0
      ? { kind: 'text', text: 'The provider lists none.' }
      : { kind: 'table', columns: columns.map((name) => ({ name })), rows };
  return {
    summary: `${titles[kind]}: ${count(rows.length, 'plan')}`,
    parts: [
      { kind: 'heading', text: titles[kind] },
      table,
      { kind: 'context', text: `${count(rows.length, 'plan')}, the cheapest first` },
      { kind: 'buttons', buttons },
    ],
  };
}

function cheapestFirst<T extends { readonly price: number }>(items: readonly T[]): T[] {
  return [...items].sort((a, b) => a.price - b.price);
}
