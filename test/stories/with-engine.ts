import { expect, test } from 'vitest';
import type { Form } from '../../src/core/view/form.ts';
import type { Button } from '../../src/core/view/view.ts';
import type { FormAnswer } from '../../src/engine/context/ports.ts';
import type { Place, Request } from '../../src/engine/context/request.ts';
import { noteRequest } from '../support/bot/drawn-views.ts';
import { ops as opsChannel, opsGroup, people } from '../support/bot/fake-slack.ts';
import { usualPolicy } from '../support/bot/policy.ts';
import { startTestBot } from '../support/bot/test-bot.ts';
import { buttonsIn, isCalled } from '../support/bot/view-text.ts';
import { storyAccount } from './account.ts';
import { type Cast, type Name, normal, readerOf, type Story, type Teller, type Where } from './story.ts';
import { type Filled, formLines, viewLines } from './view-lines.ts';

type Modal = Filled | Extract<FormAnswer, { view: unknown }>;

/**
 * Told by the engine alone, with the simulated provider: no Slack, no process. test/acceptance/stories.test.ts tells the
 * same ones through the whole bot.
 */
export function tellEach(stories: readonly Story[]): void {
  test.concurrent.for(stories)('$name', (story, { onTestFinished }) => tellOne(story, onTestFinished));
}

async function tellOne(story: Story, atEnd: (close: () => Promise<void>) => void): Promise<void> {
  // The names of the people are names of a story.
  const cast: Cast = { id: people as Cast['id'], ops: opsGroup };
  const policy = story.policy === undefined ? usualPolicy(opsGroup) : story.policy(cast);
  const bot = await startTestBot({
    policy,
    process: { timeScale: 0.001 },
    provider: { state: storyAccount(Date.now()) },
    atEnd,
  });
  const [replica] = bot.replicas;
  if (replica === undefined) throw new Error('no replica');
  const { engine } = replica;
  const modals = new Map<Name, Modal>();
  let count = 0;
  const { nameOf } = bot;
  const idOf = (where: Where) => (where === 'channel' ? opsChannel : cast.id[where]);
  const isIn = (where: Where, channel: string) =>
    channel === idOf(where) || (where !== 'channel' && channel === `D${cast.id[where]}`);

  function text(where: Where = 'channel'): string {
    const own = bot.posted.filter((message) => isIn(where, message.channel));
    const entry = (message: (typeof own)[number], indent: string) => {
      // A message in a place of one reader needs no note about its reader.
      const only =
        message.onlyFor === undefined || where !== 'channel' ? '' : `(only visible to @${nameOf(message.onlyFor)}) `;
      const [first = '', ...rest] = viewLines(message.view, nameOf);
      return [`${indent}${only}@hostler: ${first}`, ...rest.map((line) => `${indent}  ${line}`)];
    };
    const roots = own.filter(({ threadTs }) => threadTs === null || !own.some(({ ts }) => ts === threadTs));
    const lines = roots.flatMap((root) => [
      ...entry(root, ''),
      ...own.filter((one) => one !== root && one.threadTs === root.ts).flatMap((reply) => entry(reply, '    ')),
    ]);
    return normal(lines.map((line) => line.trimEnd()).join('\n'), cast);
  }

  function modal(who: Name): string {
    const open = modals.get(who);
    if (open === undefined) return '';
    const lines =
      'form' in open ? formLines(open, nameOf) : ['== Hostler ==', ...viewLines(open.view, nameOf), '[Close]'];
    return normal(lines.join('\n'), cast);
  }

  const everything = () =>
    [text(), ...Object.keys(people).map((who) => text(who as Name)), ...[...modals.keys()].map(modal)].join('\n');

  /** Every request has a readable answer. */
  async function answered(act: () => Promise<unknown>): Promise<void> {
    const before = everything();
    await act();
    await bot.until(() => everything() !== before, 'an answer that can be read');
  }

  const open = (who: Name, answer: FormAnswer) =>
    modals.set(who, 'form' in answer ? { form: answer.form, values: {}, errors: {} } : answer);

  const requestOf = (who: Name, place: Place, ask: Request['ask']): Request =>
    noteRequest({ id: `story${++count}`, actor: cast.id[who], place, at: bot.now(), ask });

  /** As the Slack side does: a request that needs a form opens it, any other is handled. */
  async function ask(request: Request, who: Name, opens = false): Promise<void> {
    const accepted = engine.accept(request, opens ? 'wanted' : 'possible');
    if (accepted.acknowledge === 'with-form') return void open(who, await accepted.run());
    if (await accepted.stored) await accepted.run();
  }

  interface Found {
    readonly button: Button;
    readonly place: Place;
    readonly message?: (typeof bot.posted)[number];
  }

  function buttonsOf(where: Where | 'modal', who: Name, label: string): Found[] {
    if (where === 'modal') {
      const shown = modals.get(who);
      if (shown === undefined || 'form' in shown) return [];
      const { view, session } = shown;
      const place: Place = { channel: '', kind: 'modal', ...(session === undefined ? {} : { form: session }) };
      return view.parts
        .flatMap(buttonsIn)
        .filter((button) => isCalled(button, label))
        .map((button) => ({ button, place }));
    }
    return bot.posted
      .filter((message) => isIn(where, message.channel) && (message.onlyFor ?? cast.id[who]) === cast.id[who])
      .flatMap((message) => {
        const place: Place = { ...bot.placeOfClick(message), kind: where === 'channel' ? 'channel' : 'dm' };
        return message.view.parts.flatMap(buttonsIn).map((button) => ({ button, place, message }));
      })
      .filter(({ button }) => isCalled(button, label));
  }

  async function found(who: Name, label: string, where: Where | 'modal') {
    await bot.until(() => buttonsOf(where, who, label).length > 0, `the button ${label}`);
    const last = buttonsOf(where, who, label).at(-1);
    if (last === undefined) throw new Error(`no button ${label}`);
    return last;
  }

  const teller: Teller = {
    cast,
    say: (who, line, how) =>
      answered(() => {
        const place: Place =
          how === 'directly' ? { channel: `D${cast.id[who]}`, kind: 'dm' } : { channel: opsChannel, kind: 'channel' };
        return ask(requestOf(who, place, { kind: 'line', line }), who);
      }),
    press: async (who, label, where = 'channel') => {
      const { button, place, message } = await found(who, label, where);
      await answered(() => {
        const request = requestOf(who, place, { kind: 'intent', intent: button.intent });
        if (message !== undefined) bot.noteClick(request.id, message);
        return ask(request, who, button.opens);
      });
    },
    keep: async (label) => {
      const { button, place } = await found('operator', label, 'channel');
      return (who) => answered(() => ask(requestOf(who, place, { kind: 'intent', intent: button.intent }), who));
    },
    submit: async (who, values) => {
      const shown = modals.get(who);
      if (shown === undefined || !('form' in shown)) throw new Error(`@${who} has no form open: ${modal(who)}`);
      shown.values = { ...shown.values, ...named(shown.form, values) };
      await answered(async () => {
        const answer = await bot.submit(who, shown.form, sent(shown.form, shown.values));
        if (answer.kind === 'errors') shown.errors = answer.errors;
        else if (answer.kind === 'next') open(who, { form: answer.form });
        else modals.delete(who);
      });
    },
    close: async (who) => void modals.delete(who),
    text,
    modal,
    until: bot.until,
    settle: bot.settle,
    provider: bot.sim,
    fault: (fault) => void bot.sim.fault({ times: 1, ...fault }),
    sent: (target) => bot.writes().filter((write) => write.includes(target)),
    pass: (ms) => bot.pass(ms),
    group: async (members) => void bot.groups.set(opsGroup, new Set(members.map((who) => cast.id[who]))),
    share: async () => {
      const channel = bot.channels.get(opsChannel);
      if (channel !== undefined) bot.channels.set(opsChannel, { ...channel, isShared: true });
    },
  };
  await story.tell(readerOf(teller));
  await bot.settle();
  expect(await bot.store.locks.list()).toEqual([]);
  expect(bot.log).toEqual([]);
}

/** Values by the names of their fields; options by their values, not by their labels. */
function named(form: Form, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([label, value]) => {
      const field = form.fields.find((one) => one.label === label);
      if (field === undefined) throw new Error(`no field ${label}; there are ${form.fields.map((one) => one.label)}`);
      return [field.name, value];
    }),
  );
}

/** As a modal sends it: what was filled in before, options by their value, searches and boxes as lists. */
function sent(form: Form, values: Filled['values']): Record<string, string | readonly string[]> {
  return Object.fromEntries(
    form.fields.flatMap((field): [string, string | readonly string[]][] => {
      const typed = values[field.name];
      if (field.widget === 'search') {
        const known = field.initial?.map(({ value }) => value) ?? [];
        return [[field.name, typed === undefined ? known : [String(typed)]]];
      }
      if (field.widget === 'choice') {
        const option = field.options.find(({ label, value }) => label === typed || value === typed);
        const value = option?.value ?? field.initial;
        return value === undefined ? [] : [[field.name, value]];
      }
      if (field.widget === 'text' || field.widget === 'multiline' || field.widget === 'number') {
        return [[field.name, typed ?? field.initial ?? '']];
      }
      return typed === undefined ? [] : [[field.name, typed]];
    }),
  );
}
