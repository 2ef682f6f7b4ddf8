import type { Project } from '../../core/account/account.ts';
import type { Arg } from '../../core/command/args.ts';
import { project } from '../../core/command/args.ts';

/** A project by name or id, or the word `none`. */
export function projectOrNone(common: Parameters<typeof project>[0]): Arg<Project | null> {
  const arg = project(common);
  return {
    ...arg,
    source: 'projects-or-none',
    read: (words, reading) => (words.join(' ').trim().toLowerCase() === 'none' ? null : arg.read(words, reading)),
    show: (value) => (value === null ? ['none'] : arg.show(value)),
    targets: (value) => (value === null ? [] : arg.targets(value)),
  };
}
