import { isOrderOrDomain, mayKnow, targetKey } from '../../core/account/account.ts';
import { mostUrgentFirst } from '../../core/alert/alert.ts';
import { maySeeAlert } from '../../core/alert/alert-rule.ts';
import { stateSigns, stateWords } from '../../core/plan/say-state.ts';
import { approversBeside, possibleApprovers } from '../../core/policy/enough-approvers.ts';
import { day, firstFew, firstLines } from '../../core/text/words.ts';
import { severitySigns } from '../../core/view/severity.ts';
import { type Text, text, type ViewPart } from '../../core/view/view.ts';
import { countingVotes } from '../access/count-votes.ts';
import { peopleOf } from '../access/enough-approvers.ts';
import { personName } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import { type Operation, readOperationLeniently } from '../operation/record.ts';

/** Facts for a decision that are not part of the request: earlier changes of its targets, and the other approvers. */

type Context = Pick<EngineContext, 'accessOf' | 'alerts' | 'directory' | 'now' | 'settings' | 'store'>;

const mostShown = 3;
const mostNamed = 8;
/** Requests of more than a day are not read, nor are more than this. */
const mostRead = 200;
/** More open alerts than this are a flood, of which only the first are searched. */
const mostOpen = 500;

export async function backgroundOf(context: Context, user: string, operation: Operation): Promise<ViewPart[]> {
  const about = new Set(operation.plan.targets.filter(isOrderOrDomain).map(targetKey));
  const [ended, alerts, others] = await Promise.all([
    about.size === 0 ? [] : endedToday(context, user, operation, about),
    about.size === 0 ? [] : openAlerts(context, user, about),
    othersWhoDecide(context, user, operation),
  ]);
  const fields: [string, Text][] = [];
  if (about.size > 0) {
    fields.push(['Last 24 hours', lines(ended, 'No request ended.')]);
    fields.push(['Open alerts', lines(alerts, 'None')]);
  }
  if (others !== undefined) fields.push(['Can decide, too', others]);
  return fields.length === 0 ? [] : [{ kind: 'fields', fields }];
}

function lines(all: readonly Text[], none: string): Text {
  if (all.length === 0) return none;
  return text(...firstLines(all, mostShown).flatMap((line, at) => (at === 0 ? [line] : ['\n', line])));
}

/** `🔴 Start web-1 · failed · @operator · 10:24`, the newest first; only what the person may read. */
async function endedToday(
  { store, accessOf, now }: Context,
  user: string,
  { id, channel }: Operation,
  about: ReadonlySet<string>,
): Promise<Text[]> {
  const access = await accessOf(user, channel);
  const rows = await store.operations.list({ open: false, limit: mostRead });
  return rows
    .map(readOperationLeniently)
    .filter((candidate) => candidate.id !== id && (candidate.endedAt ?? 0) > now() - day)
    .filter(({ plan }) => plan.targets.some((target) => about.has(targetKey(target))))
    .filter(({ plan, requester }) => mayKnow({ ...plan, requester }, user, access))
    .toSorted((a, b) => (b.endedAt ?? 0) - (a.endedAt ?? 0))
    .map(({ plan, state, requester, endedAt }) =>
      text(`${stateSigns[state]} ${plan.title} · ${stateWords[state]} · `, { user: requester }, ' · ', {
        date: endedAt ?? 0,
        style: 'full',
      }),
    );
}

/** `🔴 db-1 is off · since 10:22`, the most urgent first; only of channels whose alerts the person may read. */
async function openAlerts(context: Context, user: string, about: ReadonlySet<string>): Promise<Text[]> {
  const { directory, accessOf, alerts, store } = context;
  const open = (await store.alerts.listOpen({ limit: mostOpen }))
    .filter(({ finding }) => about.has(targetKey(finding.target)))
    .toSorted(mostUrgentFirst);
  const channels = [...new Set(open.map(({ channel }) => channel))];
  const accesses = new Map(
    await Promise.all(
      channels.map(async (channel) => {
        const isIn = await directory.isInChannel(channel, user).catch(() => false);
        return [channel, isIn ? await accessOf(user, channel) : undefined] as const;
      }),
    ),
  );
  const seen = open.filter((alert) => {
    const access = accesses.get(alert.channel);
    return access !== undefined && maySeeAlert(alert, alerts.rules, access);
  });
  // Several channels have the same alert.
  const unique = new Map(seen.map((alert) => [alert.finding.title, alert]));
  return [...unique.values()].map(({ severity, finding, openedAt }) =>
    text(`${severitySigns[severity]} ${finding.title} · since `, { date: openedAt, style: 'full' }),
  );
}

/** The names of the other approvers who have not voted; undefined if no one approves, or if Slack cannot name them. */
async function othersWhoDecide(context: Context, user: string, operation: Operation): Promise<string | undefined> {
  const { rule, isSolo, requester, state } = operation;
  if (state !== 'waiting' || typeof rule !== 'object') return undefined;
  const voted = countingVotes(await context.store.votes.list(operation.id)).map(({ userId }) => userId);
  const people = await peopleOf(context, { grants: [], rules: { dangerous: rule } });
  const possible = possibleApprovers({ rule, isSolo }, people);
  if (possible === undefined) return undefined;
  const others = approversBeside(requester, { rule, isSolo }, possible).filter(
    (approver) => approver !== user && !voted.includes(approver),
  );
  if (others.length === 0) return 'Nobody else';
  const named = await Promise.all(others.slice(0, mostNamed).map((approver) => personName(context, approver)));
  return firstFew([...named, ...others.slice(mostNamed)], mostNamed);
}
