import { z } from 'zod';
import { type Order, orderTarget } from '../../core/account/account.ts';
import { describeSshKey, fingerprintOfLine } from '../../core/account/ssh-key.ts';
import { orders } from '../../core/command/args.ts';
import type { DoneStep, ReadContext } from '../../core/command/command.ts';
import { lineOf } from '../../core/grammar/parse.ts';
import type { Ending, Plan, Verdict } from '../../core/plan/plan.ts';
import { countOrList, firstFew } from '../../core/text/words.ts';
import { ProviderError, Refusal } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import type { Reader } from '../../provider/client.ts';
import { parallelOf } from '../parallel.ts';
import { findSshKey, keyArg, keysOfServer, titleOf } from './keys.ts';

/** Parts of `ssh-key link` and `ssh-key unlink`: one write for each server whose list changes. */

export const linkArgs = {
  key: keyArg,
  servers: orders({ hint: 'Names, ids, addresses or a tag such as tag:web.', example: 'web-1' }),
  parallel: parallelOf('servers'),
};

export const linkStep = z.object({ id: z.string(), name: z.string(), key: z.int(), title: z.string() });
type LinkStep = z.infer<typeof linkStep>;

interface Wish {
  readonly verb: 'link' | 'unlink';
  readonly key: string;
  readonly servers: readonly Order[];
  readonly parallel: number;
}

export async function planLinks(
  { verb, key: word, servers, parallel }: Wish,
  { reader }: ReadContext<Reader>,
): Promise<Plan<LinkStep>> {
  const key = findSshKey(word, await reader.sshKeys.list());
  const isLink = verb === 'link';
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
  const title = titleOf(key);
  const changed = seen.filter(({ isLinked }) => isLinked !== isLink).map(({ server }) => server);
  const same = servers.filter((server) => !changed.includes(server)).map(({ label }) => label);
  const names = countOrList(
    changed.map(({ label }) => label),
    'server',
  );
  const state = isLink ? 'linked already' : 'not linked';
  return {
    title: isLink ? `Link the SSH key ${title} to ${names}` : `Unlink the SSH key ${title} from ${names}`,
    subject: [[{ bold: title }, ` · ${describeSshKey(key.key)} · key ${key.id}`]],
    targets: servers.map(orderTarget),
    effect: isLink
      ? `Anybody who holds the key can log in to ${names} after the next installation.`
      : `The next installation of ${names} no longer writes the key.`,
    glance: dotted([
      describeSshKey(key.key),
      isLink
        ? 'opens them after their next installation; running servers stay as they are'
        : 'no longer written at the next installation; running servers stay as they are',
      same.length > 0 && changed.length > 0 ? `left out: ${firstFew(same, 6)}: ${state}` : '',
    ]),
    details: [
      ['Running servers', 'Very likely not changed: the list is used when a server is installed.'],
      ...(same.length > 0 && changed.length > 0 ? [['Left out', `${firstFew(same, 6)}: ${state}`] as const] : []),
    ],
    facts: {
      key: key.id,
      fingerprint: fingerprintOfLine(key.key) ?? key.key.slice(0, 40),
      ...Object.fromEntries(seen.map(({ server, isLinked }) => [`linked to ${server.label}`, isLinked === true])),
    },
    steps: changed.map((server) => ({
      target: orderTarget(server),
      label: server.label,
      data: { id: server.id, name: server.label, key: key.id, title },
    })),
    parallel,
    ...(changed.length === 0 ? { nothingToDo: `${title} is ${state}: ${firstFew(same, 6)}.` } : {}),
  };
}

export function verifyLink(isWanted: boolean) {
  return async ({ id, name, key, title }: LinkStep, { reader }: ReadContext<Reader>): Promise<Verdict> => {
    try {
      const isLinked = (await reader.sshKeys.ofServer({ order_id: id })).some((linked) => linked.id === key);
      return {
        is: isLinked === isWanted ? 'so' : 'not',
        text: `${title} is ${isLinked ? '' : 'not '}linked to ${name}`,
      };
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      return { is: 'unsure', text: `the keys of ${name} could not be read` };
    }
  };
}

export function endOfLinks(verb: 'link' | 'unlink') {
  return (steps: readonly DoneStep<LinkStep>[]): Ending => {
    const [first] = steps;
    if (first === undefined) return { text: `${verb}ed` };
    const names = countOrList(
      steps.map(({ label }) => label),
      'server',
    );
    const back = verb === 'link' ? 'unlink' : 'link';
    return {
      text: `SSH key ${first.data.title} ${verb}ed ${verb === 'link' ? 'to' : 'from'} ${names}`,
      undo: lineOf(
        { path: `ssh-key ${back}`, args: linkArgs },
        { key: [String(first.data.key)], servers: steps.map(({ data }) => data.id) },
      ),
    };
  };
}
