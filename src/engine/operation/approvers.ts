import { approversIn, type Demand } from '../../core/policy/demands.ts';
import { noticeOf } from '../../core/policy/policy.ts';
import { type Button, type Span, type Text, text } from '../../core/view/view.ts';
import { type Counted, castFor, countVotes } from '../access/count-votes.ts';
import { offersGlass } from '../access/glass.ts';
import { personName, sayNames } from '../access/say-names.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Operation } from './record.ts';

type Demanding = Pick<Operation, 'rule' | 'requester' | 'demands' | 'channel'>;

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
  return {
    offersGlass: await offersGlass(context, operation),
    requesterName: await personName(context, requester),
    ...(quiet.length > 0 && { approverNames: new Map(await Promise.all(approverNames)) }),
    ...(demands.length > 1 && { counted: await countVotes(context, operation, votes) }),
  };
}

/** "Needs 1 of: @ops or an admin."; for several demands, one line with the channel for each. */
export function approvalsNeeded(
  operation: Demanding,
  admins: readonly string[],
  counted: Counted,
  { approverNames: names = new Map() }: Pick<CardNames, 'approverNames'> = {},
): Text[] {
  return operation.demands.map((demand) => {
    const cast = castFor(demand, counted);
    const where = whereFor(demand, operation);
    if (cast >= demand.rule.approve) return text('Approved', where, '.');
    const more = cast === 0 ? '' : ' more';
    const approvers =
      names.get(demand.channel) ?? approversIn(demand, { admins, requester: operation.requester }) ?? nobody;
    return text(`Needs ${demand.rule.approve - cast}${more} of: `, approvers, where, '.');
  });
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
