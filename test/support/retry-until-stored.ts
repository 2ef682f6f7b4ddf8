import type { Form, FormValues } from '../../src/core/view/form.ts';
import type { View } from '../../src/core/view/view.ts';
import type { FormAnswer } from '../../src/engine/context/ports.ts';
import type { TestBot } from './test-bot.ts';
import { buttonsIn, isCalled } from './view-text.ts';

/** One of the ways to make a request. */
export interface Asking {
  /** Typed after `/host`, or with `filled` the form that it opens. */
  readonly line?: string;
  /** Slack's own menus: the one of all apps, and the one of a message. */
  readonly shortcut?: Parameters<TestBot['shortcut']>[1];
  /** The button clicked in the modal that the message opened. */
  readonly picked?: string;
  /** The values for the form that the line or the shortcut opens. */
  readonly filled?: FormValues;
  /** The values for the next form. */
  readonly next?: FormValues;
}

/**
 * A person who repeats everything as long as processes are killed: a redelivery by Slack has the same id, a repeated
 * act another. Messages and modals on the screen outlive the process that posted them.
 */
export function retryUntilStored(bot: TestBot) {
  const forms = new Map<string, Form>();
  let shown: FormAnswer | undefined;
  let triggers = 0;
  let presses = 0;

  /** A used trigger opens no other form, so the shortcut is used again. */
  async function use(ask: NonNullable<Asking['shortcut']>): Promise<FormAnswer> {
    if (triggers > 0) shown ??= await bot.shortcut('operator', ask, { id: `used${triggers}` });
    shown ??= await bot.shortcut('operator', ask, { id: `used${++triggers}` });
    if (shown === undefined) throw new Error('a new trigger was taken for one that was here before');
    return shown;
  }

  /** The button under a form that was sent is pressed again, which makes another submission of it. */
  async function send(id: string, who: string, open: () => Promise<Form | View>, values: FormValues) {
    const known = forms.get(id);
    const form = known ?? (await open());
    if (!('id' in form)) throw new Error(`no form to fill in: ${form.summary}`);
    forms.set(id, form);
    const answer = await bot.submit(who, form, values, { id });
    return known === undefined ? answer : bot.submit(who, form, values, { id: `${id} again ${++presses}` });
  }

  async function fillIn(id: string, who: string, open: () => Promise<Form | View>, ...pages: readonly FormValues[]) {
    const [values = {}, ...rest] = pages;
    const after = `${id} after`;
    const answer = rest.length > 0 && forms.has(after) ? undefined : await send(id, who, open, values);
    if (rest.length === 0) return;
    // The bot continued the submission and dropped the session before the second press: then it offered a button
    // instead of the modal.
    const following = async () => (answer?.kind === 'next' ? answer.form : bot.open(who, { button: 'Fill in' }));
    await fillIn(after, who, following, ...rest);
  }

  async function pick(ask: NonNullable<Asking['shortcut']>, label: string): Promise<void> {
    const modal = await use(ask);
    const button =
      'form' in modal ? undefined : modal.view.parts.flatMap(buttonsIn).find((one) => isCalled(one, label));
    if (button === undefined || 'form' in modal || modal.session === undefined) throw new Error(`no button ${label}`);
    const place = { channel: '', kind: 'modal', form: modal.session } as const;
    await bot.click('operator', button, { id: 'asked', place });
  }

  return {
    ask: async ({ line = '', shortcut, picked, filled, next }: Asking): Promise<void> => {
      const open = async () => {
        if (shortcut === undefined) return bot.open('operator', { line });
        const modal = await use(shortcut);
        return 'form' in modal ? modal.form : modal.view;
      };
      if (shortcut !== undefined && picked !== undefined) await pick(shortcut, picked);
      else if (filled !== undefined)
        await fillIn('asked', 'operator', open, filled, ...(next === undefined ? [] : [next]));
      else await bot.say('operator', line, { id: 'asked' });
    },
    fillIn,
  };
}
