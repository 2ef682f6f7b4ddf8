import { type Risk, risks } from './policy.ts';

/** Areas of commands, in the order of help and menu. The key is the folder that a command is in. */
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
  bot: 'The bot',
};

interface Placed {
  readonly path: string;
  readonly risk: Risk;
  readonly area?: string;
  readonly args: readonly { readonly optional: boolean }[] | Readonly<Record<string, { readonly optional: boolean }>>;
}

/** By area; within one, what can be asked without a word more comes first, and what destroys comes last. */
export function byArea<C extends Placed>(commands: readonly C[]): readonly (readonly [area: string, members: C[]])[] {
  const other = areas.bot ?? '';
  return [...new Set(Object.values(areas))]
    .map((area) => {
      const members = commands.filter((command) => (command.area ?? other) === area);
      return [area, members.sort((a, b) => rank(a) - rank(b))] as const;
    })
    .filter(([, members]) => members.length > 0);
}

function rank({ risk, args }: Placed): number {
  const needsWords = Object.values(args).some((arg: { readonly optional: boolean }) => !arg.optional);
  return risks.indexOf(risk) * 2 + (needsWords ? 1 : 0);
}
