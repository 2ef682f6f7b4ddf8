import type { Policy } from '../../src/core/policy/policy.ts';
import type { Form, FormValues } from '../../src/core/view/form.ts';
import type { View } from '../../src/core/view/view.ts';
import { createPolicies } from '../../src/engine/access/policies.ts';
import { ops, people } from '../support/bot/fake-slack.ts';
import { startTestBot, type TestBot, type TestBotOptions } from '../support/bot/test-bot.ts';
import { readView } from '../support/bot/view-text.ts';

/** The words of a bot, as people read them, and what its channel has stored. */

type Bot = Pick<TestBot, 'posted' | 'nameOf'>;

export const idOf = (name: string): string => people[name] ?? '';

export const wordsOf = (bot: Pick<Bot, 'nameOf'>, view: View | undefined): string =>
  view === undefined ? '' : readView(view, bot.nameOf);

/** The messages of a kind: `card`, `end`, `remind`. */
export const messagesOf = (bot: Bot, kind: string) => bot.posted.filter(({ key }) => key.startsWith(`${kind}:`));

/** The newest card. */
export const cardOf = (bot: Bot): string => wordsOf(bot, messagesOf(bot, 'card').at(-1)?.view);

/** The newest message that only one person sees: this one, or anybody. */
export const told = (bot: Bot, user?: string): string =>
  wordsOf(
    bot,
    bot.posted.findLast(({ onlyFor }) => onlyFor !== undefined && (user === undefined || onlyFor === idOf(user)))?.view,
  );

/** The messages that follow this line. */
export async function answerTo(bot: TestBot, user: string, line: string): Promise<string> {
  const before = bot.posted.length;
  await sayAndSettle(bot, user, line);
  return bot.posted
    .slice(before)
    .map(({ view }) => wordsOf(bot, view))
    .join('\n');
}

/** A bot with the request of this line, which the operator types. */
export async function requested(line: string, options: TestBotOptions = {}): Promise<TestBot> {
  const bot = await startTestBot(options);
  await sayAndSettle(bot, 'operator', line);
  return bot;
}

/** The act, and then a wait for its results. */
const settled =
  <A extends unknown[], T>(act: (bot: TestBot, ...given: A) => Promise<T>) =>
  async (bot: TestBot, ...given: A): Promise<T> => {
    const answer = await act(bot, ...given);
    await bot.settle();
    return answer;
  };

export const clickAndSettle = settled((bot, ...given: Parameters<TestBot['click']>) => bot.click(...given));
export const passAndSettle = settled((bot, ...given: Parameters<TestBot['pass']>) => bot.pass(...given));
export const pressAndSettle = settled((bot, ...given: Parameters<TestBot['press']>) => bot.press(...given));
export const sayAndSettle = settled((bot, ...given: Parameters<TestBot['say']>) => bot.say(...given));
export const submitAndSettle = settled((bot, ...given: Parameters<TestBot['submit']>) => bot.submit(...given));

/** Fills in the form behind a button. */
export const fillIn = settled(async (bot, user: string, button: string, values: FormValues) =>
  bot.submit(user, await bot.open(user, { button }), values),
);

/** Types the line, and presses the button of its card at once. */
export async function sayAndPress(bot: TestBot, user: string, line: string, label = 'Confirm'): Promise<void> {
  await bot.say(user, line);
  await bot.press(user, label);
}

/** Types each line and confirms its card. */
export async function confirm(bot: TestBot, user: string, ...lines: string[]): Promise<void> {
  for (const line of lines) {
    await sayAndPress(bot, user, line);
    await bot.settle();
  }
}

export const homeOf = async (bot: TestBot, user: string): Promise<string> =>
  wordsOf(bot, await bot.replicas[0]?.engine.home(idOf(user)));

export const policyOf = (bot: TestBot) => createPolicies(bot.store, bot.directory).get(ops);

export const grantsOf = async (bot: TestBot): Promise<Policy['grants']> => (await policyOf(bot))?.grants ?? [];

/** A form, where a view would be a refusal. */
export function formIn(opened: Form | View): Form {
  if (!('fields' in opened)) throw new Error(`no form: ${opened.summary}`);
  return opened;
}

/** The form that follows this one. */
export async function nextPage(bot: TestBot, user: string, form: Form | View, values: FormValues): Promise<Form> {
  const answer = await bot.submit(user, form, values);
  if (answer.kind !== 'next') throw new Error(`no further page: ${JSON.stringify(answer)}`);
  return answer.form;
}

/** The suggestions of a field of the form for this text. */
export async function suggested(bot: TestBot, user: string, form: Form | View, source: string, text = '') {
  const query = { actor: idOf(user), form: formIn(form).id, source, text };
  return (await bot.replicas[0]?.engine.suggest(query)) ?? [];
}

/** Changes the channel, or makes another one like it. */
export function setChannel(bot: Pick<TestBot, 'channels'>, changes: object, id = ops): void {
  const known = bot.channels.get(ops);
  if (known === undefined) throw new Error('no channel');
  bot.channels.set(id, { ...known, id, ...changes });
}
