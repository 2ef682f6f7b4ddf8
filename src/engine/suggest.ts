import { rawOf } from '../core/command-form.ts';
import type { FormOption, FormValues } from '../core/form.ts';
import { domainTarget, emptyWorld, orderTarget, projectTarget, type Target, type World } from '../core/world.ts';
import { sessionOf } from './forms.ts';
import type { Kit } from './kit.ts';

interface Row {
  readonly target: Target;
  readonly option: FormOption;
  readonly words: readonly (string | null)[];
}

/** What can be searched in memory, by source. */
const inWorld: Readonly<Record<string, (world: World) => readonly Row[]>> = {
  servers: (world) => orderRows(world, ['vps']),
  dedicated: (world) => orderRows(world, ['ds']),
  orders: (world) => orderRows(world, ['vps', 'ds', 'other']),
  domains: (world) =>
    world.domains.map((domain) => ({
      target: domainTarget(domain),
      option: { value: domain.name, label: domain.name },
      words: [domain.name],
    })),
  projects: (world) =>
    world.projects.map((project) => ({
      target: projectTarget(project),
      option: { value: String(project.id), label: project.name },
      words: [project.name, String(project.id)],
    })),
};

function orderRows(world: World, kinds: readonly string[]): readonly Row[] {
  return world.orders
    .filter((order) => kinds.includes(order.kind))
    .map((order) => ({
      target: orderTarget(order),
      option: { value: order.id, label: `${order.label} (${order.id})`, description: order.addresses[0] ?? order.plan },
      words: [order.name, order.hostname, order.id, ...order.addresses, ...order.tags.map((tag) => `tag:${tag}`)],
    }));
}

const most = 50;

/** Search as you type: from memory, and only what this person may act on with this command. */
export async function suggest(
  kit: Kit,
  query: {
    readonly actor: string;
    readonly form: string;
    readonly source: string;
    readonly text: string;
    readonly given?: FormValues;
  },
): Promise<readonly FormOption[]> {
  const session = await sessionOf(kit, query.form, query.actor);
  if (session?.kind !== 'command') return [];
  const command = kit.deps.commands.find((known) => known.path === session.command);
  if (command === undefined) return [];
  const capability = command.capability === 'none' ? 'read' : command.capability;
  const footing = await kit.footing(query.actor, session.place.channel);
  const rows = inWorld[query.source];
  if (rows !== undefined) {
    const world = kit.deps.world.peek() ?? (await kit.deps.world.read({ staleOk: true }));
    const wanted = query.text.trim().toLowerCase();
    return rows(world)
      .filter((row) => row.words.some((word) => word?.toLowerCase().includes(wanted)))
      .filter((row) => footing.may(capability, row.target))
      .slice(0, most)
      .map((row) => row.option);
  }
  const source = kit.deps.sources[query.source];
  if (source === undefined || !footing.decide(capability, 'safe', []).allowed) return [];
  const given = { ...session.raw, ...rawOf(command.args, query.given ?? {}) };
  const world = kit.deps.world.peek() ?? emptyWorld;
  return (await source({ text: query.text, reader: kit.deps.reader, world, given })).slice(0, most);
}
