import { type Risk, risks } from './policy.ts';

/** Areas of commands, in the order of help and menu. The key is the command's folder. */
export const areas: Readonly<Record<string, string>> = {
  servers: 'Servers',
  orders: 'Orders',
  dns: 'DNS',
  dedicated: 'Dedicated servers',
  projects: 'Projects',
  networks: 'Private networks',
  'ssh-keys': 'SSH keys',
  addresses: 'Addresses',
  storage: 'Object storage',
  tickets: 'Support',
  catalog: 'Catalog',
  account: 'Account',
  alerts: 'Alerts',
  plans: 'Plans',
  machines: 'Machines',
  bot: 'The bot',
};

interface Placed {
  readonly path: string;
  readonly risk: Risk;
  readonly area?: string;
  readonly args: Readonly<Record<string, { readonly optional: boolean }>>;
}

/** Groups commands by area and sorts each area by risk, commands without required arguments first. */
export function byArea<C extends Placed>(commands: readonly C[]): readonly (readonly [area: string, members: C[]])[] {
  const ranked = commands.toSorted((a, b) => rankOf(a) - rankOf(b));
  const members = Map.groupBy(ranked, ({ area }) => area ?? areas.bot);
  return [...new Set(Object.values(areas))].flatMap((area) => {
    const own = members.get(area);
    return own === undefined ? [] : [[area, own] as const];
  });
}

function rankOf({ risk, args }: Placed): number {
  const needsWords = Object.values(args).some(({ optional }) => !optional);
  return risks.indexOf(risk) * 2 + (needsWords ? 1 : 0);
}
