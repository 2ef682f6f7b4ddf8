import { accountTarget } from '../../core/account/account.ts';
import type { ReadContext } from '../../core/command/command.ts';
import type { RawArgs } from '../../core/grammar/shapes.ts';
import { count } from '../../core/text/words.ts';
import type { Text } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { balanceOf } from './creation.ts';
import { priceOf, sayBalance, sayDue, sayPrice } from './creation-price.ts';
import { chosenHardware, type Hardware, hardwareOf } from './hardware.ts';

/**
 * The price of the chosen hardware and, for people who may see it, the balance after payment. Disk classes and services
 * follow on the last page.
 */
export async function costSoFar(
  raw: RawArgs,
  { reader, currency: readCurrency, may }: ReadContext<Reader>,
): Promise<readonly Text[]> {
  if (!may('spend', accountTarget)) return [];
  const word = (name: string) => raw[name]?.join(' ') || undefined;
  const size = (name: string) => (word(name) === undefined ? undefined : Number(word(name)));
  const choice = chosenHardware({
    plan: word('plan'),
    cpu: size('cpu'),
    ram: size('ram'),
    disk: size('disk'),
    arch: word('arch') === 'arm' ? 'arm' : undefined,
    frequency: word('frequency'),
  });
  const mayKnow = may('billing', accountTarget);
  const [plans, money, usualCurrency] = await Promise.all([
    choice.kind === 'plan' ? reader.plans.vps() : [],
    balanceOf(reader),
    readCurrency(),
  ]);
  const hardware = hardwareOf(choice, plans);
  const term = size('term') ?? 1;
  const nothing = { diskClass: undefined, bandwidth: undefined, location: undefined, services: [] };
  const price = priceOf({ hardware, term, ...nothing });
  const currency = money?.currency ?? usualCurrency;
  return [
    [
      'So far: ',
      { bold: nameOf(hardware) },
      ` · price ${sayPrice(price, currency)}`,
      term === 1 ? '' : ` · to pay ${sayDue(price, term, currency)}`,
      money === undefined || !mayKnow ? '' : ` · balance ${sayBalance(price, money.balance, currency)}`,
    ],
  ];
}

function nameOf(hardware: Hardware): string {
  if (hardware.kind === 'plan') return hardware.plan.name;
  const { cpu_count, ram_size, disk_size } = hardware.configuration;
  return `${count(cpu_count, 'core')}, ${ram_size} GB memory, ${disk_size} GB disk`;
}
