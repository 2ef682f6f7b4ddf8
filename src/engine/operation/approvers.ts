import { approversIn, type Demand } from '../../core/policy/demands.ts';
import { escalatesAfter } from '../../core/policy/escalation.ts';
import { describeSubjects } from '../../core/policy/evaluate.ts';
import { noticeOf } from '../../core/policy/policy.ts';
import { defined } from '../../core/text/defined.ts';
import { firstFew } from '../../core/text/words.ts';
import { type Button, type Span, type Text, text } from '../../core/view/view.ts';
import { awayPeople } from '../access/asked-people.ts';
import { type Counted, castFor, countVotes } from '../access/count-votes.ts';
import { offersGlass } from '../access/glass.ts';
import { personName, sayNames } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

type Demanding = Pick<Operation, 'rule' | 'requester' | 'demands' | 'channel'>;

const mostAway = 5;
const nobody = 'nobody but the person who asked';

/** The approvers as mentions: "@ops or an admin"; for several channels, one list after the other. */
export function approversOf({ demands, requester }: Demanding, admins: readonly string[]): Text {
  const each = demands.map((demand) => approversIn(demand, { admins, requester }) ?? nobody);
  if (demands.length < 2) return each[0] ?? nobody;
  return demands.flatMap(({ channel }, at) => text(at === 0 ? '' : '; ', each[at] ?? '', ' for ', { channel }));
}

/** Facts for a waiting card: names as plain text, which notify no one, and the channels for which each vote counts. */
export interface CardNames {
  readonly requesterName: string;
  /** By channel, for channels whose rule keeps the card from mentioning approvers. */
  readonly approverNames?: ReadonlyMap<string, string>;
  /** By channel: the second group, while it may not approve yet. */
  readonly laterNames?: ReadonlyMap<string, string>;
  /** The approvers who are away, whom the card does not mention. */
  readonly away?: { readonly users: readonly string[]; readonly words: string };
  /** Whether somebody may run it without its approvals. */
  readonly offersGlass?: boolean;
  /** Only for several demands: every vote counts for a single one. */
  readonly counted?: Counted;
}

export async function namesOnCard(
  context: Pick<EngineContext, 'accessOf' | 'directory' | 'now' | 'policies' | 'settings' | 'store'>,
  operation: Operation,
  votes: Parameters<typeof countVotes>[2],
): Promise<CardNames> {
  const { directory, settings } = context;
  const { demands, requester } = operation;
  const quiet = demands.filter(({ rule }) => noticeOf(rule) !== 'mention');
  const approverNames = quiet.map(async (demand): Promise<[string, string]> => {
    const approvers = approversIn(demand, { admins: settings.admins, requester }) ?? nobody;
    return [demand.channel, await sayNames(directory, approvers)];
  });
  const later = operation.isEscalated ? [] : demands.filter((demand) => escalatesAfter(demand) !== undefined);
  const laterNames = later.map(async ({ channel, rule }): Promise<[string, string]> => {
    return [channel, await sayNames(directory, describeSubjects(rule.escalate?.to ?? []))];
  });
  const away = demands.length === 0 ? undefined : await awayOnCard(context, demands);
  return {
    ...defined({ away }),
    offersGlass: await offersGlass(context, operation),
    ...(later.length > 0 && { laterNames: new Map(await Promise.all(laterNames)) }),
    requesterName: await personName(context, requester),
    ...(quiet.length > 0 && { approverNames: new Map(await Promise.all(approverNames)) }),
    ...(demands.length > 1 && { counted: await countVotes(context, operation, votes) }),
  };
}

async function awayOnCard(
  context: Pick<EngineContext, 'directory' | 'now' | 'settings' | 'store'>,
  demands: readonly Demand[],
): Promise<CardNames['away']> {
  const { users, isAll } = await awayPeople(context, demands);
  if (users.length === 0) return undefined;
  if (isAll) return { users, words: 'All approvers are away, so the admins are asked.' };
  const names = await Promise.all(users.slice(0, mostAway).map((user) => personName(context, user)));
  return { users, words: `Away: ${firstFew([...names, ...users.slice(mostAway)], mostAway)}.` };
}

/** "Needs 1 of: @ops or an admin."; for several demands, one line with the channel for each. */
export function approvalsNeeded(
  operation: Demanding & Pick<Operation, 'createdAt' | 'isEscalated'>,
  admins: readonly string[],
  counted: Counted,
  { approverNames: names = new Map(), laterNames, away }: Pick<CardNames, 'approverNames' | 'away' | 'laterNames'> = {},
): Text[] {
  const lines = operation.demands.map((asked) => {
    const demand = withoutAway(asked, away?.users ?? []);
    const cast = castFor(demand, counted);
    const where = whereFor(demand, operation);
    if (cast >= demand.rule.approve) return text('Approved', where, '.');
    const more = cast === 0 ? '' : ' more';
    const approvers =
      names.get(demand.channel) ?? approversIn(demand, { admins, requester: operation.requester }) ?? nobody;
    return text(
      `Needs ${demand.rule.approve - cast}${more} of: `,
      approvers,
      where,
      '.',
      laterFor(demand, operation, laterNames),
    );
  });
  return away === undefined ? lines : [...lines, away.words];
}

/** Leaves out people who are away. A group stays, since Slack mentions all of its members. */
function withoutAway<T extends Demand>(demand: T, away: readonly string[]): T {
  const by = demand.rule.by.filter((subject) => !away.some((user) => subject === `user:${user}`));
  return { ...demand, rule: { ...demand.rule, by } };
}

/** ` From 10:44 @leads, too.` The names notify no one yet. */
function laterFor(
  demand: Demand,
  { createdAt, isEscalated }: Pick<Operation, 'createdAt' | 'isEscalated'>,
  names: CardNames['laterNames'],
): Text {
  const after = escalatesAfter(demand);
  const later = names?.get(demand.channel);
  if (after === undefined || (!isEscalated && later === undefined)) return '';
  if (isEscalated) return ' It was not decided in time, so more people may approve.';
  return [' From ', { date: createdAt + after, style: 'full' }, `, ${later} may approve, too.`];
}

function whereFor({ channel }: Demand, operation: Demanding): readonly Span[] {
  if (channel !== operation.channel) return [', for ', { channel }, ', where a grant would reach more'];
  return operation.demands.length < 2 ? [] : [', for ', { channel }];
}

/** Returns no button if the rule notifies no one. */
export function remindButtons({ id, rule }: Pick<Operation, 'id' | 'rule'>): Button[] {
  if (noticeOf(rule) === 'none') return [];
  return [{ label: 'Remind approvers', intent: { do: 'remind', operation: id } }];
}
