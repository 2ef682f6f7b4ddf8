import type { Offer } from '../../core/alert/alert.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { StandingOffer } from '../context/alerts-port.ts';
import { commandAt, type EngineContext } from '../context/engine-context.ts';
import { leftOfDay } from '../operation/card-hour.ts';
import { readOperationLeniently } from '../operation/record.ts';
import type { Alert } from './records.ts';

/** Standing approvals whose runs the buttons of alerts begin. */

const mostStanding = 100;

/** Returns those of a channel with runs left today, by the line of the button; of two for one line, the older. */
export async function standingOffers(
  context: Pick<EngineContext, 'commands' | 'now' | 'store'>,
  channel: string,
): Promise<ReadonlyMap<string, StandingOffer>> {
  const { store, now } = context;
  const offers = new Map<string, StandingOffer>();
  for (const row of await store.operations.list({ channel, state: 'standing', limit: mostStanding })) {
    const { id, command: path, args, timing } = readOperationLeniently(row);
    const command = commandAt(context, path);
    if (timing?.every === undefined || timing.every.weekly !== undefined || command === undefined) continue;
    const { mostRuns, until } = timing.every;
    const left = now() > until ? 0 : leftOfDay(timing.every, timing.timeZone, now());
    if (left > 0) offers.set(lineOf(command, args), { id, left, mostRuns, until });
  }
  return offers;
}

/** The alert with its buttons of a standing approval: `Restart (2 of 3 left today)`. */
export function withStanding(alert: Alert, standing: ReadonlyMap<string, StandingOffer>): Alert {
  if (standing.size === 0) return alert;
  const offers = alert.finding.offers.map((offer): Offer => {
    const approval = standing.get(offer.line);
    if (approval === undefined) return offer;
    const { id, left, mostRuns } = approval;
    return { ...offer, standing: { id, left: `${left} of ${mostRuns} left today` } };
  });
  return { ...alert, finding: { ...alert.finding, offers } };
}
