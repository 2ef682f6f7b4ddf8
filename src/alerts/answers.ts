import { identityOf, orderTarget, targetKey } from '../core/account/account.ts';
import type { Finding } from '../core/alert/alert.ts';
import type { ServerAnswers } from '../core/alert/alert-rule.ts';
import { sayServices } from '../core/probe/services.ts';
import { hour, minute } from '../core/text/words.ts';
import { ifReadable } from '../core/view/errors.ts';
import { aboutOrder, critical, defineAlert, leftAccount, sampleOrder, watchedServers } from './define-alert.ts';

export const answers = defineAlert({
  name: 'answers',
  title: 'A server is on and stopped answering',
  many: (n) => `${n} servers stopped answering`,
  isOptional: true,
  everyMs: minute,
  fires:
    'the power is on, and twice in a row no service answers that answered before, tried from the machine of the bot',
  clears: 'anything answers again',
  read: async ({ names, isWatched, probeServers, reader, unfinished, now }) => {
    const account = await names();
    const watched = watchedServers(account, isWatched);
    const seen = await probeServers(watched);
    const silent = seen.filter(({ isSilent }) => isSilent);
    const steps = silent.length === 0 ? [] : await unfinished(now - hour);
    const isOurs = ({ order }: ServerAnswers) =>
      steps.some(({ target, endedAt }) => endedAt === null && target === targetKey(orderTarget(order)));
    const powers = silent.map(async (server) => {
      const power = isOurs(server) ? undefined : await ifReadable(reader.vps.status({ order_id: server.order.id }));
      return power?.status === 'on' ? server : undefined;
    });
    return { account, seen, silent: (await Promise.all(powers)).filter((server) => server !== undefined) };
  },
  find: ({ silent }, _, now) => silent.map((server) => findingOf(server, now)),
  calm: (cause, { account, seen }, { target }) => {
    const answersAgain = seen.some(({ order, silentSince }) => order.id === cause && silentSince === null);
    return leftAccount(account, target) ?? (answersAgain ? `${target.name} answers again` : undefined);
  },
  sample: (now) =>
    findingOf(
      { order: sampleOrder, silentSince: now, services: [{ address: '192.0.2.10', port: 22, ms: 12 }], isSilent: true },
      now,
    ),
});

function findingOf({ order, services, silentSince }: ServerAnswers, now: number): Finding {
  return {
    ...aboutOrder(order, 'restart'),
    title: `${order.label} is on and answers nothing`,
    lines: [`Before, ${sayServices(services)} answered`],
    details: [
      { kind: 'text', text: identityOf(order) },
      {
        kind: 'text',
        text: ['Silent since ', { date: silentSince ?? now, style: 'full' }, ', from the machine of the bot'],
      },
    ],
    ...critical,
    offers: [
      { label: 'Restart', line: `restart ${order.id}` },
      { label: 'Stats', line: `stats ${order.id}` },
    ],
  };
}
