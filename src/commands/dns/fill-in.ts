import { namesOf, orderTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { looselyOne } from '../../core/grammar/loosely.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import type { Reader } from '../../provider/client.ts';
import { type } from './fields.ts';

/** Fills in the address of a server that is named as the value: `dns point www.example.com to web-2`. */
export async function withAddress(
  raw: RawArgs,
  { account, may }: Pick<ReadContext<Reader>, 'account' | 'may'>,
): Promise<RawArgs> {
  const [word, second] = raw.value ?? [];
  if (word === undefined || second !== undefined || raw.type !== undefined) return raw;
  const seen = (await account()).orders.filter((order) => may('read', orderTarget(order)));
  const named = seen.filter((order) => namesOf(order).some((name) => name.toLowerCase() === word.toLowerCase()));
  const server = named.length === 1 ? named[0] : looselyOne(word, seen);
  const address = server?.addresses[0];
  const kind = address === undefined ? undefined : type.impliedBy(address);
  return address === undefined || kind === undefined ? raw : { ...raw, type: [kind], value: [address] };
}
