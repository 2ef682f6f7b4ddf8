import { z } from 'zod';
import { type Order, orderTarget } from '../../core/account/account.ts';
import { describeSshKey } from '../../core/account/ssh-key.ts';
import { orders } from '../../core/command/args.ts';
import type { DoneStep, ReadContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { Ending, Plan, Verdict } from '../../core/plan/plan.ts';
import { firstFew } from '../../core/text/words.ts';
import { Refusal } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { parallelOf } from '../parallel.ts';
import { namesOf } from '../servers/power.ts';
import { findSshKey, keyArg, keyFacts, keySubject, keysOfServer, titleOf } from './keys.ts';

/** Parts of `ssh-key link` and `ssh-key unlink`: one write for each server whose list changes. */

export const linkArgs = {
  key: keyArg,
  servers: orders({ hint: 'Names, ids, addresses or a tag such as tag:web.', example: 'web-1' }),
  parallel: parallelOf('servers'),
};

export const linkStep = z.object({ id: z.string(), name: z.string(), key: z.int(), title: z.string() });
type LinkStep = z.infer<typeof linkStep>;

const words = {
  link: {
    past: 'linked to',
    title: (key: string, names: string) => `Link the SSH key ${key} to ${names}`,
    effect: (names: string) => `Anybody who holds the key can log in to ${names} after the next installation.`,
    glance: 'opens them after their next installation; running servers stay as they are',
    already: 'linked already',
    back: 'unlink',
  },
  unlink: {
    past: 'unlinked from',
    title: (key: string, names: string) => `Unlink the SSH key ${key} from ${names}`,
    effect: (names: string) => `The next installation of ${names} no longer writes the key.`,
    glance: 'no longer written at the next installation; running servers stay as they are',
    already: 'not linked',
    back: 'link',
  },
} as const;

interface Wish {
  readonly verb: keyof typeof words;
  readonly key: string;
  readonly servers: readonly Order[];
  readonly parallel: number;
}

export async function planLinks(
  { verb, key: word, servers, parallel }: Wish,
  { reader }: ReadContext<Reader>,
): Promise<Plan<LinkStep>> {
  const key = findSshKey(word, await reader.sshKeys.list());
  const seen = await Promise.all(
    servers.map(async (server) => {
      const keys = await keysOfServer(reader, server.id);
      return { server, isLinked: keys?.some(({ id }) => id === key.id) };
    }),
  );
  const unread = seen.filter(({ isLinked }) => isLinked === undefined).map(({ server }) => server.label);
  if (unread.length > 0) {
    throw new Refusal('unavailable', `The keys of ${firstFew(unread, 6)} could not be read just now.`, {
      hint: 'Nothing was sent. Try again in a minute.',
    });
  }
  const titleOfKey = titleOf(key);
  const changed = seen.filter(({ isLinked }) => isLinked !== (verb === 'link')).map(({ server }) => server);
  const same = servers.filter((server) => !changed.includes(server)).map(({ label }) => label);
  const names = namesOf(changed);
  const { title, effect, glance, already } = words[verb];
  const leftOut = same.length > 0 && changed.length > 0 ? [`${firstFew(same, 6)}: ${already}`] : [];
  return {
    title: title(titleOfKey, names),
    subject: [keySubject(key)],
    targets: servers.map(orderTarget),
    effect: effect(names),
    glance: dotted([describeSshKey(key.key), glance, ...leftOut.map((some) => `left out: ${some}`)]),
    details: [
      ['Running servers', 'Very likely not changed: the list is used when a server is installed.'],
      ...leftOut.map((some) => ['Left out', some] as const),
    ],
    facts: {
      ...keyFacts(key),
      ...Object.fromEntries(seen.map(({ server, isLinked }) => [`linked to ${server.label}`, isLinked === true])),
    },
    steps: changed.map((server) => ({
      target: orderTarget(server),
      label: server.label,
      data: { id: server.id, name: server.label, key: key.id, title: titleOfKey },
    })),
    parallel,
    ...(changed.length === 0 ? { nothingToDo: `${titleOfKey} is ${already}: ${firstFew(same, 6)}.` } : {}),
  };
}

export function verifyLink(isWanted: boolean) {
  return async ({ id, name, key, title }: LinkStep, { reader }: ReadContext<Reader>): Promise<Verdict> => {
    const keys = await keysOfServer(reader, id);
    if (keys === undefined) return { is: 'unsure', text: `the keys of ${name} could not be read` };
    const isLinked = keys.some((linked) => linked.id === key);
    return { is: isLinked === isWanted ? 'so' : 'not', text: `${title} is ${isLinked ? '' : 'not '}linked to ${name}` };
  };
}

export function endOfLinks(verb: Wish['verb']) {
  return (steps: readonly DoneStep<LinkStep>[]): Ending => {
    const [first] = steps;
    if (first === undefined) return { text: `${verb}ed` };
    const { past, back } = words[verb];
    return {
      text: `SSH key ${first.data.title} ${past} ${namesOf(steps)}`,
      undo: lineOf(
        { path: `ssh-key ${back}`, args: linkArgs },
        { key: [String(first.data.key)], servers: steps.map(({ data }) => data.id) },
      ),
    };
  };
}
