import { count, list, money } from '../../core/text/words.ts';
import { badValue, impossible, Refusal } from '../../core/view/errors.ts';
import { type CreationParts, diskGb } from './creation-parts.ts';

/** The price of a new server, as far as in the provider's price lists. */

interface Wanted extends Pick<CreationParts, 'bandwidth' | 'diskClass' | 'hardware' | 'services'> {
  /** Undefined until it is chosen. */
  readonly location: CreationParts['location'] | undefined;
  readonly term: number;
}

type Price = ReturnType<typeof priceOf>;

export function priceOf(wanted: Wanted) {
  const { hardware, services, term } = wanted;
  const {
    periodic = [],
    single = [],
    other = [],
  } = Object.groupBy(services, ({ service: { billing_type: type } }) =>
    type === 'periodic' || type === 'single' ? type : 'other',
  );
  const parts: [string, number | undefined][] = [
    hardware.kind === 'plan' ? [`plan ${hardware.plan.name}`, hardware.plan.price] : ['the configuration', undefined],
    ...diskPrice(wanted),
    ...bandwidthPrice(wanted),
    ...other.map(({ service, count }): [string, undefined] => [times(service.name, count), undefined]),
    ...periodic.map(({ service, count }): [string, number] => [times(service.name, count), service.price * count]),
  ];
  const priced = parts.flatMap(([name, price]) => (price === undefined ? [] : [[name, cents(price)] as const]));
  const month = cents(priced.reduce((sum, [, price]) => sum + price, 0));
  const once = cents(single.reduce((sum, { service, count }) => sum + service.price * count, 0));
  return {
    /** The known part of the monthly price; parts without a price cost more. */
    month,
    once,
    /** The price of the whole term, including one-time charges. */
    due: cents(month * term + once),
    /** Parts without a price in the lists. */
    unknown: parts.flatMap(([name, price]) => (price === undefined ? [name] : [])),
    parts: priced,
  };
}

function diskPrice({ diskClass, hardware }: Wanted): [string, number | undefined][] {
  if (diskClass === undefined) return [];
  const gb = diskGb(hardware);
  const name = `disk class ${diskClass.name}`;
  return [gb === undefined ? [name, undefined] : [`${name} for ${gb} GB`, gb * diskClass.price_per_gb]];
}

/**
 * The price of the bandwidth by the location's tariff: steps above the smallest value are charged. Refuses other
 * values.
 */
function bandwidthPrice({ bandwidth, location }: Wanted): [string, number][] {
  if (bandwidth === undefined || location === undefined) return [];
  const tariff = location.bandwidth_tariff;
  const where = location.label || location.value;
  if (tariff === null)
    throw new Refusal('bad_value', `The bandwidth cannot be chosen in ${where}.`, { field: 'bandwidth' });
  const { min_value, max_value, step, price, unit } = tariff;
  // Decimal steps are not exact in binary: 0.3 / 0.1 is not quite 3.
  const extra = Number(((bandwidth - min_value) / (step > 0 ? step : 1)).toFixed(6));
  if (bandwidth < min_value || bandwidth > max_value || !Number.isInteger(extra)) {
    const hint = `It goes from ${min_value} to ${max_value} ${unit} in steps of ${step}.`;
    throw badValue(`A bandwidth of ${bandwidth} ${unit} is not sold in ${where}.`, hint, 'bandwidth');
  }
  return [[`bandwidth ${bandwidth} ${unit}`, extra * price]];
}

/** Rule 2 of creation: with too low a balance, the provider creates nothing. */
export function mustBeCovered(price: Price, balance: number, currency: string): void {
  if (price.due <= balance) return;
  const least = price.unknown.length > 0 ? 'at least ' : '';
  const text = `This costs ${least}${money(price.due, currency)} now, and the balance does not cover it: the provider would not create it.`;
  throw impossible(text, 'Top up the account, or choose a smaller plan or a shorter term.');
}

/** `€ 7 a month: plan Cloud NVMe 2 € 5.50, Weekly backup € 1.50; € 25 once` */
export function sayPrice(price: Price, currency: string | undefined): string {
  const amount =
    price.parts.length > 1
      ? `: ${price.parts.map(([name, part]) => `${name} ${money(part, currency)}`).join(', ')}`
      : '';
  const once = price.once > 0 ? `; ${money(price.once, currency)} once` : '';
  if (price.unknown.length === 0) return `${money(price.month, currency)} a month${amount}${once}`;
  const rest = price.month > 0 ? `, on top of ${money(price.month, currency)} a month${amount}` : '';
  return `unknown: the API has no price for ${list(price.unknown)}${rest}${once}`;
}

/** Omits the balance, since people in the channel may not be allowed to see it. */
export function sayCovered(price: Price): string {
  return price.unknown.length > 0 ? 'It covers the part of the price that is known.' : 'It covers this.';
}

/** `€ 21 for 3 months` */
export function sayDue(price: Price, term: number, currency: string | undefined): string {
  const amount = `${money(price.due, currency)} for ${count(term, 'month')}`;
  if (price.unknown.length === 0) return amount;
  return price.due > 0 ? `unknown, at least ${amount}` : `unknown, for ${count(term, 'month')}`;
}

export function sayBalance(price: Price, balance: number, currency: string | undefined): string {
  const after = money(cents(balance - price.due), currency);
  return `${money(balance, currency)} now, ${price.unknown.length > 0 ? 'at most ' : ''}${after} after`;
}

export function times(name: string, n: number): string {
  return n === 1 ? name : `${n} × ${name}`;
}

function cents(amount: number): number {
  return Math.round(amount * 100) / 100;
}
