import { namesOf, orderTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { looselyOne } from '../../core/grammar/loosely.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { Refusal } from '../../core/view/errors.ts';
import type { Reader } from '../../provider/client.ts';

/**
 * Fills in the order form from the order of the server that `like` names. The provider returns neither the location nor
 * the image of a server, so the form asks for both.
 */
export async function filledLike(
  { like, ...typed }: RawArgs,
  { account, may, reader }: Pick<ReadContext<Reader>, 'account' | 'may' | 'reader'>,
): Promise<RawArgs> {
  const [word] = like ?? [];
  if (word === undefined) return typed;
  const servers = (await account()).orders.filter((order) => order.kind === 'vps' && may('read', orderTarget(order)));
  const named = servers.filter((order) => namesOf(order).some((name) => name.toLowerCase() === word.toLowerCase()));
  const server = named.length === 1 ? named[0] : looselyOne(word, servers);
  if (server === undefined) throw new Refusal('not_found', `There is no server called ${word}.`, { field: 'like' });
  const [{ configuration, tariff, tags, project }, plans, keys] = await Promise.all([
    reader.vpsOrders.read({ order_id: server.id }),
    reader.plans.vps(),
    reader.sshKeys.ofServer({ order_id: server.id }),
  ]);
  const isPlan = plans.some(({ name }) => name === tariff);
  const own = {
    plan: isPlan ? tariff : null,
    cpu: isPlan ? null : configuration?.cpu_count,
    ram: isPlan ? null : configuration?.ram_size,
    disk: isPlan ? null : configuration?.disk_size,
    arch: isPlan ? null : configuration?.cpu_arch,
    frequency: isPlan ? null : configuration?.min_cpu_freq,
    project: project?.name,
  };
  const single = Object.entries(own).flatMap(([name, value]) =>
    value == null ? [] : [[name, [String(value)]] as const],
  );
  const several = { tags: [...tags], ssh_keys: keys.map(({ id }) => String(id)) };
  const lists = Object.entries(several).filter(([, values]) => values.length > 0);
  return { ...Object.fromEntries([...single, ...lists]), ...typed };
}

export const nothingToFillIn = new Refusal(
  'bad_value',
  '`like` fills in the form, and this line leaves nothing to fill in.',
  { hint: 'Leave out `like`, or the template.', field: 'like' },
);
