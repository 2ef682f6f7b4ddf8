import { plain, type Span, type Text } from '../../core/view/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Directory } from '../context/ports.ts';

/** Renders a text as a plain string, with the names that Slack shows for people, groups and channels instead of ids. */
export async function sayNames(
  { person, channel, groupName }: Pick<Directory, 'person' | 'channel' | 'groupName'>,
  sentence: Text,
): Promise<string> {
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
export async function sayIds(
  directory: Pick<Directory, 'person' | 'channel' | 'groupName'>,
  words: string,
): Promise<string> {
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
  return directory.person(user).then(
    ({ name }) => `@${name}`,
    () => otherwise,
  );
}

export async function nameOr(lookup: Promise<{ readonly name: string }>, otherwise: string): Promise<string> {
  return lookup.then(
    ({ name }) => name,
    () => otherwise,
  );
}
