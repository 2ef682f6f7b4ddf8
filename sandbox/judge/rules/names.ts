import type { History, Post } from '../history.ts';
import type { JudgeRule } from './rule.ts';

export const names: JudgeRule = {
  name: 'names',
  promise: 'A name is shown only to people who may read it, or to one who typed it before.',
  check: (history) =>
    history.posts.flatMap((post) =>
      history.secretNames
        .filter(({ name }) => post.text.includes(name))
        .flatMap(({ name, readers }) =>
          viewersOf(history, post)
            .filter((viewer) => !readers.includes(viewer) && !typedBefore(history, viewer, name, post))
            .map((viewer) => `${viewer} saw ${name} at ${post.at}`),
        ),
    ),
};

function viewersOf(history: History, { channel, onlyFor }: Post): readonly string[] {
  if (onlyFor !== null) return [onlyFor];
  return history.channels.find(({ id }) => id === channel)?.members ?? [];
}

function typedBefore(history: History, viewer: string, name: string, { at }: Post): boolean {
  return history.acts.some((act) => act.user === viewer && act.at <= at && act.text.includes(name));
}
