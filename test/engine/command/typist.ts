import { loadCommands } from '../../../src/commands/load-commands.ts';
import type { RawArgs } from '../../../src/core/grammar/command-shape.ts';
import { lineOf } from '../../../src/core/grammar/parse.ts';
import { defined } from '../../../src/core/text/defined.ts';
import type { Button } from '../../../src/core/view/view.ts';
import type { OperationRow } from '../../../src/store/records/operation-row.ts';
import { opsGroup } from '../../support/bot/fake-slack.ts';
import { openOperations } from '../../support/bot/open-operations.ts';
import { ticketPolicy } from '../../support/bot/policy.ts';
import { startTestBot, type TestBotOptions } from '../../support/bot/test-bot.ts';
import { buttonsIn, readView } from '../../support/bot/view-text.ts';

/** The outcomes of one typed line, as lines that begin with their kind; and what it offers and then refuses. */
export interface Came {
  readonly outcomes: readonly string[];
  readonly refusedOffers: readonly string[];
}

/** Types lines into a bot one after another, and withdraws the request of each. */
export async function startTypist(atEnd?: TestBotOptions['atEnd']) {
  const bot = await startTestBot({ policy: ticketPolicy(opsGroup), ...defined({ atEnd }) });
  bot.roster.set('U0PARTNER', { name: 'partner', membership: 'stranger' });
  bot.sim.power({ order: '34-12346', state: 'off' });
  const commands = await loadCommands();
  const names = new Map<string, string>(bot.sim.state().orders.map(({ id, name }) => [id, name]));
  const named = (text: string) =>
    text
      .replace(/\b\d+-\d+\b/g, (id) => names.get(id) ?? id)
      .replaceAll('@U0OPERATOR', '@operator')
      .replaceAll('"', '');

  async function lastSeq(): Promise<number> {
    return (await bot.store.audit.list({ limit: 1 }))[0]?.seq ?? 0;
  }

  async function do_(user: string, act: () => Promise<unknown>): Promise<string[]> {
    const [seq, shown] = [await lastSeq(), bot.posted.length];
    await act();
    // A request that waits has no more to do; one that needed nobody runs.
    if ((await openOperations(bot.store)).some(({ state }) => state !== 'waiting')) await bot.settle();
    const rows = (await bot.store.audit.list({ limit: 20 })).filter((row) => row.seq > seq).reverse();
    const outcomes: string[] = [];
    for (const { kind, operationId, data } of rows) {
      if (kind === 'answered') outcomes.push(`answer ${named(textOf(data))}`);
      if (kind === 'nothing_to_do') outcomes.push(`nothing ${textOf(data)}`);
      const made = kind === 'asked' && operationId !== null ? await bot.store.operations.find(operationId) : undefined;
      if (made !== undefined) outcomes.push(sayRequest(made));
      if (made?.state === 'waiting')
        await bot.click(user, { label: '', intent: { do: 'vote', operation: made.id, vote: 'withdraw' } });
    }
    for (const { view } of bot.posted.slice(shown)) {
      const words = readView(view, bot.nameOf);
      outcomes.push(`says ${words}`);
      if (words.includes('All commands')) outcomes.push('menu');
    }
    return outcomes;
  }

  function sayRequest({ command: path, args, state, plan }: OperationRow): string {
    const command = commands.find((one) => one.path === path);
    const { reason } = plan as { reason?: string };
    const line = command === undefined ? path : lineOf(command, args as RawArgs, reason);
    return `${state === 'waiting' ? 'card' : 'ran'} ${named(line)}`;
  }

  /** The buttons of the messages since then, as offers. */
  async function offersSince(user: string, shown: number): Promise<Came> {
    const buttons = bot.posted.slice(shown).flatMap(({ view }) => view.parts.flatMap(buttonsIn));
    const outcomes: string[] = [];
    const refusedOffers: string[] = [];
    for (const { label, intent } of buttons) {
      if (intent.do !== 'form' && intent.do !== 'run') continue;
      outcomes.push(`${label === 'Fill in' ? 'form' : 'offer'} ${named(intent.line)}`);
      const why = await whyRefused(user, intent);
      if (why !== undefined) refusedOffers.push(`${intent.line}: ${why}`);
    }
    return { outcomes, refusedOffers };
  }

  const pressed = new Map<string, Promise<string | undefined>>();
  /** A button that several answers offer is pressed once. */
  function whyRefused(user: string, intent: Parameters<typeof refusalOf>[1]) {
    const key = JSON.stringify([user, intent.do, intent.line]);
    const why = pressed.get(key) ?? refusalOf(user, intent);
    pressed.set(key, why);
    return why;
  }

  async function refusalOf(user: string, intent: Extract<Button['intent'], { do: 'form' | 'run' }>) {
    if (intent.do === 'run') {
      const came = await do_(user, () => bot.click(user, { label: '', intent }));
      return came.some((one) => /^(answer|nothing|card|ran) /.test(one)) ? undefined : came.join(' ');
    }
    const opened = await bot.open(user, { line: intent.line });
    if (!('fields' in opened)) return `no form: ${readView(opened, bot.nameOf)}`;
    return opened.notes.map(String).find((note) => note.startsWith('Nothing you can use here'));
  }

  return {
    type: async (who: string, line: string): Promise<Came> => {
      const user = who.replace(/^@|^dm /, '');
      const actor = user === 'partner' ? 'U0PARTNER' : user;
      const shown = bot.posted.length;
      const outcomes = await do_(actor, () => {
        if (who.startsWith('@')) return bot.mention(actor, line);
        const place = who.startsWith('dm ') ? ({ channel: 'D0OPERATOR', kind: 'dm' } as const) : undefined;
        return bot.say(actor, line, place && { place });
      });
      const isRequested = outcomes.some((one) => /^(card|ran|answer) /.test(one));
      const offered = isRequested ? undefined : await offersSince(actor, shown);
      return { outcomes: [...outcomes, ...(offered?.outcomes ?? [])], refusedOffers: offered?.refusedOffers ?? [] };
    },
  };
}

function textOf(data: unknown): string {
  return typeof data === 'object' && data !== null && 'text' in data ? String(data.text) : '';
}
