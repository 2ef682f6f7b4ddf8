import { created, detail, type ProviderAnswer } from '../answer.ts';
import type { ProviderRequestCall } from '../call.ts';
import { startJob } from '../jobs.ts';
import type { SimConfiguration } from '../model.ts';
import { newOrder, newServer } from '../new-order.ts';
import { numbers } from '../numbers.ts';
import type { BandwidthTariff, ProviderOffer } from '../offer.ts';
import { findImage, imageSlots } from '../software.ts';
import { configurationOf } from '../tariffs.ts';
import { addMonths, roundMoney } from '../time.ts';
import type { ProviderState } from '../types.ts';
import * as is from '../validate.ts';

const { configuration: sizes } = numbers;
const isIn = (items: readonly { readonly id: number }[]) =>
  is.primaryKey((id) => items.some((candidate) => candidate.id === id));
const diskClass = ({ diskClasses }: ProviderOffer) => is.nullable(isIn(diskClasses));

const configuration = (offer: ProviderOffer) =>
  is.object({
    cpu_count: is.required(is.integer(sizes.cpu_count)),
    ram_size: is.required(is.integer(sizes.ram_size)),
    disk_size: is.required(is.integer(sizes.disk_size)),
    cpu_arch: is.withDefault(is.choice(['x86_64', 'arm']), 'x86_64'),
    min_cpu_freq: is.withDefault(is.decimal({ min: 0 }), '2.4'),
    disk_class: is.withDefault(diskClass(offer), null),
  });

const slots = (provider: ProviderState, { offer } = provider.state) => ({
  tariff: is.withDefault(is.nullable(isIn(offer.vpsPlans)), null),
  configuration: is.withDefault(is.nullable(configuration(offer)), null),
  ...imageSlots(provider),
  location: is.required(is.choice(offer.locations.map((location) => location.value))),
  term: is.withDefault(is.choice(numbers.terms), 1),
  services: is.withDefault(
    is.objects(
      is.object({
        service: is.required(isIn(offer.services)),
        count: is.withDefault(is.integer({ min: 1 }), 1),
      }),
    ),
    [],
  ),
  ssh_keys: is.withDefault(is.list(is.primaryKey((id) => provider.state.sshKeys.has(id))), []),
  name: is.withDefault(is.text({ min: 1, max: 25 }), ''),
  project: is.withDefault(is.nullable(is.primaryKey((id) => provider.state.projects.has(id))), null),
  disk_class: is.withDefault(diskClass(offer), null),
  bandwidth: is.withDefault(is.nullable(is.integer({ min: 1 })), null),
  webhook: is.optional(
    is.object({ url: is.required(is.webAddress({ max: 512 })), secret: is.required(is.text({ max: 64 })) }),
  ),
  placement_policy: is.withDefault(is.choice(['STRICT', 'OPTIONAL']), 'OPTIONAL'),
  placement_group: is.withDefault(is.nullable(is.integer({ min: 1 })), null),
  private_network: is.withDefault(is.nullable(is.primaryKey((id) => provider.state.networks.has(id))), null),
  tags: is.withDefault(is.list(is.text({ max: 64 })), []),
});
type Wish = ReturnType<typeof parse>;

const parse = (provider: ProviderState, data: unknown) => is.validate(data, slots(provider));

export function createVps({ provider, data, route }: ProviderRequestCall): ProviderAnswer {
  const choices = parse(provider, data());
  const { offer } = provider.state;
  const hardware = chosenHardware(choices, offer);
  const image = findImage(provider, choices, hardware.configuration);
  const location = offer.locations.find((candidate) => candidate.value === choices.location);
  if (location?.disabled_by_slots) throw is.invalid({ location: ['There are no free slots in this location.'] });

  const extra = extraPrices(choices, offer, hardware.configuration, location?.bandwidth_tariff ?? null);
  const costMonth = roundMoney(hardware.price + extra.month);
  const price = roundMoney(costMonth * choices.term + extra.once);
  const { balance, currency } = provider.state.account;
  if (balance < price) {
    throw detail(
      400,
      `Insufficient funds: the order costs ${price.toFixed(2)} ${currency}, your balance is ${balance.toFixed(2)} ${currency}.`,
    );
  }

  const number = provider.state.next.vps++;
  const now = provider.clock.now();
  const order = newOrder({
    id: `34-${number}`,
    kind: 'vps',
    name: choices.name,
    tariff: hardware.name,
    tariffPrice: hardware.tariffPrice,
    hostname: `vps-${number}.hosting.example`,
    addresses: [],
    status: 'pending',
    costMonth,
    termMonths: choices.term,
    createdAt: now,
    expiresAt: addMonths(now, choices.term),
    tags: [...new Set(choices.tags)],
    projectId: choices.project,
    vps: newServer({
      configuration: hardware.configuration,
      location: choices.location,
      os: image.name,
      power: 'unknown',
      powerChangedAt: now,
      isPrivateNetworkEnabled: choices.private_network !== null,
      sshKeys: [...choices.ssh_keys],
      installedSshKeys: [...choices.ssh_keys],
      webhook: choices.webhook ?? null,
      paid: price,
    }),
  });
  provider.pay(price);
  provider.addOrder(order);
  startJob(provider, order, 'create', route);
  return created({ order_id: order.id });
}

function chosenHardware(choices: Wish, { vpsPlans }: ProviderOffer) {
  const { tariff, configuration: custom, disk_class } = choices;
  const plan = vpsPlans.find((candidate) => candidate.id === tariff);
  if (plan && custom) throw is.wrongAsWhole('Specify either tariff or configuration, not both.');
  if (custom) {
    if (disk_class !== null) throw is.wrongAsWhole('With a configuration, set disk_class inside it.');
    const { core, ramGb, diskGb } = numbers.unitPrice;
    const price = custom.cpu_count * core + custom.ram_size * ramGb + custom.disk_size * diskGb;
    return { name: 'Custom', price: roundMoney(price), tariffPrice: null, configuration: custom };
  }
  if (!plan) throw is.wrongAsWhole('Specify either tariff or configuration.');
  const fixed = configurationOf(plan);
  const configuration: SimConfiguration = { ...fixed, disk_class: disk_class ?? fixed.disk_class };
  return { name: plan.name, price: plan.price, tariffPrice: plan.price, configuration };
}

function extraPrices(
  choices: Wish,
  { services, diskClasses }: ProviderOffer,
  { disk_size, disk_class }: SimConfiguration,
  tariff: BandwidthTariff | null,
) {
  let month = bandwidthPrice(choices.bandwidth, tariff);
  let once = 0;
  for (const { service, count } of choices.services) {
    const extra = services.find((candidate) => candidate.id === service);
    const price = Number(extra?.price ?? 0) * count;
    if (extra?.billing_type === 'single') once += price;
    else month += price;
  }
  // Plans and configurations include a disk; only an explicitly chosen class is billed per GB.
  const isChosen = choices.disk_class !== null || choices.configuration?.disk_class != null;
  if (isChosen)
    month += (disk_size ?? 0) * Number(diskClasses.find((candidate) => candidate.id === disk_class)?.price_per_gb ?? 0);
  return { month, once };
}

function bandwidthPrice(wanted: number | null, tariff: BandwidthTariff | null): number {
  if (wanted === null) return 0;
  if (!tariff) throw is.invalid({ bandwidth: ['The bandwidth cannot be changed in this location.'] });
  const [min, max, step] = [Number(tariff.min_value), Number(tariff.max_value), Number(tariff.step)];
  if (wanted < min) throw is.invalid({ bandwidth: [`Ensure this value is greater than or equal to ${min}.`] });
  if (wanted > max) throw is.invalid({ bandwidth: [`Ensure this value is less than or equal to ${max}.`] });
  return ((wanted - min) / step) * Number(tariff.price);
}
