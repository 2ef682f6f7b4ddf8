import { startProvider } from '../../../sandbox/provider/server.ts';
import { loadCommands } from '../../../src/commands/load-commands.ts';
import { type Account, orderTarget, type Target } from '../../../src/core/account/account.ts';
import { namesOf } from '../../../src/core/grammar/loosely.ts';
import { lineOf, parse } from '../../../src/core/grammar/parse.ts';
import { timingOptions } from '../../../src/core/grammar/timing-keys.ts';
import { NotOne } from '../../../src/core/targets/not-one.ts';
import { defined } from '../../../src/core/text/defined.ts';
import { Refusal } from '../../../src/core/view/errors.ts';
import { offered, withSuggestions } from '../../../src/engine/command/offered-here.ts';
import { createAccountReader } from '../../../src/provider/account-reader.ts';
import { createProvider, readerOf } from '../../../src/provider/client.ts';
import { createInventory } from '../../../src/provider/inventory.ts';
import { createTransport } from '../../../src/provider/transport.ts';
import { patienceMs } from '../../support/suite/patience.ts';

/** A typed line as the real commands read it over an account: the command with names for ids, or the question. */

export const commands = await loadCommands();

/** The account of the sandbox, as the bot reads it. */
export async function seedAccount(): Promise<Account> {
  const simulator = await startProvider({});
  const transport = createTransport({
    baseUrl: simulator.url,
    apiKey: simulator.key,
    headersTimeoutMs: patienceMs,
    sleep: async () => {},
  });
  try {
    const inventory = createInventory(readerOf(createProvider(transport)), { now: () => simulator.sim.now() });
    return await createAccountReader(inventory).read();
  } finally {
    await transport.close();
    await simulator.close();
  }
}

export const clock = { now: Date.UTC(2026, 10, 18, 13, 30), timeZone: 'Europe/Amsterdam' };

export function said(line: string, account: Account, maySee: (target: Target) => boolean = () => true): string {
  const domains = account.domains.map(({ name }) => name);
  const projects = account.projects.map(({ name }) => name);
  const orders = account.orders.filter((order) => maySee(orderTarget(order)));
  const parsed = parse(line, commands, domains, namesOf(orders, projects));
  if (parsed.kind === 'menu') return 'menu';
  const reading = () => ({ account, maySee, clock });
  const offer = (refusal: Refusal) => offered(refusal, { commands, domains, reading, allows: () => true });
  if (parsed.kind === 'problem') return asked(offer(parsed.refusal));
  const { command, raw, missing, note, left, reason } = parsed;
  const more = [
    ...(note === undefined ? [] : [left === undefined ? note : `${note} Left out: “${left}”.`]),
    ...(reason === undefined ? [] : [`because: ${reason}`]),
  ];
  if (missing.length > 0) return [`${lineOf(command, raw)} + ${missing.join(', ')}`, ...more].join(' | ');
  try {
    const { canonical, notes } = command.prepare(raw, { account, maySee, clock });
    const line = [withNames(lineOf(command, canonical), account), ...timingOptions(raw)].join(' ');
    return [line, ...more, ...notes].join(' | ');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const refusal = error instanceof NotOne ? withSuggestions(error, { command, raw, ...defined({ reason }) }) : error;
    return asked(offer(refusal), account);
  }
}

function asked({ message, hint = '', suggestions }: Refusal, account?: Account): string {
  const buttons = suggestions.map(
    ({ label, command, isForm }) =>
      `[${label} → ${isForm ? 'form: ' : ''}${account ? withNames(command, account) : command}]`,
  );
  return [`✗ ${message}`, hint, ...buttons].filter(Boolean).join(' ');
}

function withNames(line: string, account: Account): string {
  return account.orders.reduce(
    (text, { id, label }) => text.replaceAll(new RegExp(`(?<![\\w-])${id}(?![\\w-])`, 'g'), label),
    line,
  );
}

/** One letter more, less, other, or two swapped. */
export function slip(word: string, at: number, kind: number, letter: string): string {
  const [before, here, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  if (kind % 4 === 0) return before + letter + here + after;
  if (kind % 4 === 1) return before + after;
  if (kind % 4 === 2) return before + letter + after;
  return before + after.charAt(0) + here + after.slice(1);
}
