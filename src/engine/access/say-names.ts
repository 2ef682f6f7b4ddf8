import { plain, type Text } from '../../core/view.ts';
import type { EngineContext } from '../context/engine-context.ts';
import type { Directory } from '../context/ports.ts';

/** The text as one sentence in which people, groups and channels have the names that Slack shows for them, and no ids. */
export async function sayNames(
  { person, channel, groupName }: Pick<Directory, 'person' | 'channel' | 'groupName'>,
  given: Text,
): Promise<string> {
  if (typeof given === 'string') return given;
  const words = given.map(async (span) => {
    if (typeof span === 'string') return span;
    if ('user' in span) return `@${await nameOr(person(span.user), 'somebody')}`;
    if ('channel' in span) return `#${await nameOr(channel(span.channel), 'another channel')}`;
    if ('group' in span) return (await groupName(span.group)) ?? 'a user group';
    return plain([span]);
  });
  return (await Promise.all(words)).join('');
}

/** Returns `@name`, or other words while Slack cannot be asked: the text must be shown without the name, too. */
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

async function nameOr(found: Promise<{ readonly name: string }>, otherwise: string): Promise<string> {
  return found.then(
    ({ name }) => name,
    () => otherwise,
  );
}
