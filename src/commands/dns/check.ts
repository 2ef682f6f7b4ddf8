import { hasAddress, orderTarget } from '../../core/account/account.ts';
import { optional } from '../../core/command/args.ts';
import { fullName, relativeHost } from '../../core/dns/record.ts';
import { hasAnswered, isHostName, type Probed, type Service, sayProbed } from '../../core/probe/services.ts';
import { wordSet } from '../../core/text/words.ts';
import { signs } from '../../core/view/signs.ts';
import { buttonRow, runButton, textPart, type ViewPart } from '../../core/view/view.ts';
import { type CommandContext, channelRead, defineQuery, withReadAt } from '../define.ts';
import { host, recordsOf } from './fields.ts';

export const dnsCheck = defineQuery({
  path: 'dns check',
  words: `check · test · probe · verify · ping · curl · wget | | is up · is down · is online · is ok ·
    is reachable · not reachable · unreachable · is it up · is working · not work · does work · does resolve ·
    does load · not load · is site · is website · does site · does website · does answer · not answer · not open`,
  title: 'Check a name',
  summary: 'Try from outside whether a name answers, and compare its name servers with the zone',
  examples: ['dns check www.example.com', 'dns check example.com'],
  alsoSays: [...wordSet('up down site website still whether answer answers load reachable')],
  args: { domain: recordsOf, host: optional(host) },
  ...channelRead,
  run: async ({ domain, host: typed = '@' }, context) => {
    const { bot, now } = context;
    const own = relativeHost(typed, domain.name);
    const name = fullName(own, domain.name);
    const [probed, fromServers] = await Promise.all([tryName(name, context), bot.checkName(domain.name, own)]);
    const byAddress = [...Map.groupBy(probed, ({ address }) => address)];
    const [sign, answers] = judge(byAddress.map(([, each]) => each));
    const { orders } = await context.account();
    const lines = byAddress.map(([address, each]): ViewPart => {
      const server = orders.find(hasAddress(address));
      const label = server !== undefined && context.may('read', orderTarget(server)) ? ` (${server.label})` : '';
      return { kind: 'text', text: `${address}${label}: ${sayProbed(each)}` };
    });
    const { whyOff } = bot.prober;
    return {
      summary: `${name} ${answers ?? 'was not tried from outside'}`,
      parts: [
        { kind: 'heading', text: `${sign} ${name}`.trim(), ...(answers && { aside: answers }) },
        ...textPart('text', whyOff === undefined ? '' : `Not tried from outside: ${whyOff}.`),
        ...textPart('text', whyOff === undefined && probed.length === 0 ? 'It has no address.' : ''),
        ...lines,
        { kind: 'text', text: fromServers },
        { kind: 'context', text: withReadAt(whyOff === undefined ? 'Tried from the machine of the bot' : '', now) },
        ...buttonRow([runButton('Records', `dns list ${domain.name}`)]),
      ],
    };
  },
});

/** SSH alone is no site. */
function judge(byAddress: readonly (readonly Probed[])[]): readonly [sign: string, answers?: string] {
  const answered = byAddress.map((each) => each.filter(hasAnswered));
  const served = answered.filter((each) => each.some(({ port }) => port !== 22)).length;
  if (byAddress.length === 0) return [''];
  if (served === byAddress.length) return [signs.good, 'answers'];
  if (served > 0) return [signs.warning, `answers at ${served} of ${byAddress.length} addresses`];
  const isOnlySsh = answered.some((each) => each.length > 0);
  return isOnlySsh ? [signs.warning, 'answers on ssh only'] : [signs.bad, 'does not answer'];
}

/** Resolves a name of the account and tries its addresses; SSH at those of the account's own servers only. */
async function tryName(name: string, { bot: { prober }, account }: CommandContext): Promise<readonly Probed[]> {
  if (prober.whyOff !== undefined || !isHostName(name)) return [];
  const [addresses, { orders }] = await Promise.all([prober.resolve(name), account()]);
  const services = addresses.flatMap((address): Service[] => [
    { address, port: 443, name },
    { address, port: 80 },
    ...(orders.some(hasAddress(address)) ? [{ address, port: 22 }] : []),
  ]);
  return prober.probe(services);
}
