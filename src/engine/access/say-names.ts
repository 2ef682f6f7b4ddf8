import { type Glass, isGlassBroken } from '../../core/plan/broken-glass.ts';
import type { When } from '../../core/plan/when.ts';
import { signs } from '../../core/view/signs.ts';
import { plain, type Span, type Text } from '../../core/view/view.ts';
import type { OperationRow } from '../../store/records/operation-row.ts';
import type { VoteRow } from '../../store/records/votes.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Directory } from '../context/ports.ts';
import { countingVotes } from './count-votes.ts';

type Names = Pick<Directory, 'person' | 'channel' | 'groupName'>;

/** Renders a text as a plain string, with the names that Slack shows for people, groups and channels instead of ids. */
export async function sayNames({ person, channel, groupName }: Names, sentence: Text): Promise<string> {
  if (typeof sentence === 'string') return sentence;
  const words = sentence.map(async (span) => {
    if (typeof span === 'string') return span;
    if ('user' in span) return `@${await nameOr(person(span.user), 'somebody')}`;
    if ('channel' in span) return `#${await nameOr(channel(span.channel), 'another channel')}`;
    if ('group' in span) return (await groupName(span.group)) ?? 'a user group';
    return plain([span]);
  });
  return (await Promise.all(words)).join('');
}

/** Like `sayNames`, for a string that contains ids of people, groups and channels. */
export async function sayIds(directory: Names, words: string): Promise<string> {
  const spans = words.split(/([@#][UWSCG][A-Z0-9]{2,})\b/).map((part, at): Span => {
    if (at % 2 === 0) return part;
    const id = part.slice(1);
    if (part.startsWith('#')) return { channel: id };
    return id.startsWith('S') ? { group: id } : { user: id };
  });
  return sayNames(directory, spans);
}

/** Returns `@name`, or `otherwise` if Slack does not answer: the text must be shown without the name, too. */
export async function personName(
  { directory }: Pick<EngineContext, 'directory'>,
  user: string,
  otherwise = 'somebody',
): Promise<string> {
  const person = await directory.person(user).catch(() => undefined);
  return person === undefined ? otherwise : `@${person.name}`;
}

/** Makes an option of each channel with its name, `#ops`; the id stands for a name that Slack does not give. */
export function eachNamed<T>(
  { directory }: Pick<EngineContext, 'directory'>,
  channels: readonly string[],
  optionOf: (name: string, channel: string) => T,
): Promise<T[]> {
  return Promise.all(
    channels.map(async (channel) => optionOf(`#${await nameOr(directory.channel(channel), channel)}`, channel)),
  );
}

export async function nameOr(lookup: Promise<{ readonly name: string }>, otherwise: string): Promise<string> {
  return (await lookup.catch(() => undefined))?.name ?? otherwise;
}

interface Decided extends Pick<OperationRow, 'requester' | 'startsAt' | 'state' | 'stopBy'> {
  readonly endedBy: string | null;
  readonly glass: Glass | null;
  readonly when: When;
}

/**
 * Names the people who decided a request, with the words for another way than votes: `@lead`, `🔨 broke glass, closed by
 * @lead`, `standing approval of @lena`, `@operator, called off by @lead`. Empty if nobody decided it. `approved` stands
 * before the voters.
 */
export async function sayDecision(
  context: EngineContext,
  { endedBy, glass, requester, startsAt, state, stopBy, when }: Decided,
  votes: readonly VoteRow[],
  approved = '',
): Promise<string> {
  const by = async (words: string, users: readonly (string | null | undefined)[]): Promise<string> => {
    const named = users.flatMap((user) => user ?? []);
    const names = await Promise.all(named.map((user) => personName(context, user)));
    return names.length === 0 ? '' : words + names.join(', ');
  };
  const declined = state === 'declined' ? [endedBy] : [];
  const voters = new Set([...countingVotes(votes).map(({ userId }) => userId), ...declined]);
  const isBroken = glass !== null && isGlassBroken({ glass });
  const isCalledOff = state === 'withdrawn' && (startsAt !== null || endedBy !== requester);
  const parts = await Promise.all([
    ...(isBroken
      ? [
          glass.by === requester ? `${signs.broken} broke glass` : by(`${signs.broken} glass broken by `, [glass.by]),
          glass.closed === undefined ? 'not closed yet' : by('closed by ', [glass.closed.by]),
        ]
      : [by('standing approval of ', when.kind === 'run' ? when.by : []), by(approved, [...voters])]),
    by(startsAt === null ? 'withdrawn by ' : 'called off by ', isCalledOff ? [endedBy] : []),
    by('stopped by ', [stopBy]),
  ]);
  return parts.filter((part) => part !== '').join(', ');
}
