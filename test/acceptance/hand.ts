import { expect } from 'vitest';
import { castsVote } from '../support/bot/view-text.ts';
import type { TestSystem } from '../support/process/test-system.ts';

/** The actions of a person in a separate channel, and a count of them. */

export interface Hand {
  readonly say: (line: string) => Promise<void>;
  /** `Confirm` and `Approve` stand for the button that decides, which is named after its act. */
  readonly press: (label: string, who?: string) => Promise<void>;
  /** Fills in and sends the open form, page by page. */
  readonly form: (...pages: readonly Values[]) => Promise<void>;
  /** No other action runs until the form is sent. */
  readonly withForm: (opens: () => Promise<unknown>, ...pages: readonly Values[]) => Promise<void>;
  /** Approved by another person, who types the name when the rule asks for it. */
  readonly approve: (typed?: string) => Promise<void>;
  readonly upload: (name: string, content: string | Uint8Array) => string;
  readonly see: (what: RegExp) => Promise<string>;
  readonly counted: () => { readonly messages: number; readonly forms: number };
}

type Values = Readonly<Record<string, string | readonly string[]>>;

/** One modal at a time for each person. */
const screens = new Map<string, Promise<unknown>>();
function alone<T>(who: string, work: () => Promise<T>): Promise<T> {
  const mine = (screens.get(who) ?? Promise.resolve()).then(work, work);
  screens.set(
    who,
    mine.catch(() => {}),
  );
  return mine;
}

export async function handIn(system: TestSystem, name: string): Promise<Hand> {
  const { sim } = system.slack;
  const channel = await system.channel(name);
  let messages = 0;
  let forms = 0;
  let shown = '';
  const modal = (who: string, fits: (text: string) => boolean) =>
    sim.waitFor((s) => s.view(who) !== undefined && fits(s.viewText(who)) && s.viewText(who));
  const ready = (text: string) => !text.includes('One moment');
  const see = async (what: RegExp) =>
    system.until(
      () => {
        // The duration depends on the machine.
        const text = `${sim.transcript(channel)}\n${shown}`.replace(/ in \d+ (s|min)( \d+ s)?(?=[.; ]|$)/gm, '');
        return what.test(text) && text;
      },
      () => `${what} in:\n${sim.transcript(channel)}`,
    );
  /** A search that was not answered in time is typed again. */
  const fill = async (page: Values, attempts = 3): Promise<void> => {
    try {
      await sim.fill('operator', page);
    } catch (error) {
      if (attempts === 1 || !(error instanceof Error && error.message.includes('there are none'))) throw error;
      await fill(page, attempts - 1);
    }
  };
  const hand: Hand = {
    counted: () => ({ messages, forms }),
    see,
    say: async (line) => {
      messages++;
      expect((await sim.say('operator', channel, `/host ${line}`)).error).toBeNull();
    },
    press: async (label, who = 'operator') => {
      if (label === 'Confirm' || label === 'Approve') {
        const { ts } = await sim.waitFor((s) => s.messages(channel).findLast((message) => castsVote(message, label)));
        expect((await sim.click(who, { channel, ts, isMain: true })).error).toBeNull();
        return;
      }
      const where = label === 'Reveal once' ? 'dm' : channel;
      await sim.waitFor((s) => s.transcript(where, who).includes(`[${label}]`));
      expect((await sim.click(who, { channel: where, label })).error).toBeNull();
    },
    form: async (...pages) => {
      forms++;
      let before = '';
      for (const page of pages) {
        await modal('operator', (text) => ready(text) && text !== before);
        await fill(page);
        before = sim.viewText('operator');
        expect((await sim.submit('operator')).error).toBeNull();
        expect(sim.view('operator') === undefined ? '' : sim.viewText('operator')).not.toContain('  ! ');
      }
      if (pages.length === 0) shown = await modal('operator', ready);
    },
    withForm: (opens, ...pages) =>
      alone('operator', async () => {
        try {
          await opens();
          await hand.form(...pages);
        } finally {
          if (sim.view('operator') !== undefined) await sim.closeView('operator');
        }
      }),
    approve: async (typed) => {
      if (typed === undefined) return hand.press('Approve', 'lead');
      await alone('lead', async () => {
        await hand.press('Approve', 'lead');
        await modal('lead', (text) => text.includes(`Type ${typed} to approve`));
        await sim.fill('lead', { [`Type ${typed} to approve`]: typed });
        expect((await sim.submit('lead')).error).toBeNull();
      });
    },
    upload: (name, content) => sim.upload('operator', channel, name, content),
  };
  return hand;
}
