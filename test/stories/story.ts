import { expect } from 'vitest';
import type { FaultInput } from '../../sandbox/provider/faults.ts';
import type { ProviderControl as ProviderSim } from '../../sandbox/provider/sim.ts';
import type { Policy } from '../../src/core/policy/policy.ts';
import { stableText } from '../support/bot/stable-text.ts';

/**
 * A story is what people do in a channel and the words they read there. It is written once and told twice: by the engine
 * in a room without Slack (with-engine.ts), and by the bot as a process through the simulated Slack (through-slack.ts), over
 * its sockets and over signed HTTP. Both must read the same, to the letter.
 */
export interface Story {
  readonly name: string;
  /** The policy of the story's channel; null is a channel without one. */
  readonly policy?: (cast: Cast) => Policy | null;
  readonly tell: (it: Reader) => Promise<void>;
}

export const names = ['admin', 'operator', 'lead', 'reader', 'guest'] as const;
export type Name = (typeof names)[number];

/** The ids behind the names, which differ from telling to telling. */
export interface Cast {
  readonly id: Readonly<Record<Name, string>>;
  /** The user group @ops: operator and lead. */
  readonly ops: string;
}

export type Where = 'channel' | Name;

export interface Teller {
  readonly cast: Cast;
  /** Normalizes both sides of a comparison when Slack refuses a kind of block, and another block has the words. */
  readonly loosely?: (text: string) => string;
  /** `/host …` in the channel, or the bare line as a direct message. Resolves when something new can be read. */
  readonly say: (who: Name, line: string, how?: 'directly') => Promise<void>;
  /** The newest button with this label, in the channel, in a direct message, or in the person's modal. */
  readonly press: (who: Name, label: string, where?: Where | 'modal') => Promise<void>;
  /** Acts for a person whose Slack still shows the message of the time of `keep`. */
  readonly keep: (label: string) => Promise<(who: Name) => Promise<void>>;
  /** Fills in the modal by the labels of its fields, and submits it. */
  readonly submit: (who: Name, values: Readonly<Record<string, string>>) => Promise<void>;
  readonly close: (who: Name) => Promise<void>;
  /** Reads the channel, or the person's direct messages; ids, dates and spans of time are ‹signs›. */
  readonly text: (where?: Where) => string;
  /** The text of the person's modal; empty without one. */
  readonly modal: (who: Name) => string;
  readonly until: (look: () => boolean | Promise<boolean>, what: string) => Promise<void>;
  /** Waits until all open requests of this channel wait for people, and all messages are posted. */
  readonly settle: () => Promise<void>;
  /** Changes the provider without the bot. */
  readonly provider: ProviderSim;
  /** Makes the next call of this operation for this server or zone fail. */
  readonly fault: (fault: FaultInput & { match: string; only: string }) => void;
  /** The writes that the provider received for this server or zone. */
  readonly sent: (target: string) => string[];
  /** Lets time pass for the requests that wait in this channel. */
  readonly pass: (ms: number) => Promise<void>;
  readonly group: (members: readonly Name[]) => Promise<void>;
  readonly share: () => Promise<void>;
}

/** A teller, and what is read of it. */
export interface Reader extends Teller {
  /** The operator types the line, and confirms it. */
  readonly confirmed: (line: string) => Promise<void>;
  /** These are the words of the channel after all work has ended. */
  readonly reads: (words: string) => Promise<void>;
  readonly messagesTo: (who: Name) => { readonly reads: (words: string) => Promise<void> };
  readonly modalOf: (who: Name) => { readonly reads: (words: string) => Promise<void> };
  /** The words are somewhere among them. */
  readonly sees: (words: string, where?: Where) => Promise<void>;
}

export function readerOf(teller: Teller): Reader {
  const { text, modal, settle, until, loosely = (words) => words } = teller;
  const reads = async (said: () => string, words: string) => {
    const wanted = loosely(unindent(words));
    await until(() => loosely(said()) === wanted, 'these words').catch(() => undefined);
    expect(loosely(said())).toBe(wanted);
  };
  const readsAtRest = async (where: Where, words: string) => {
    await settle();
    await reads(() => text(where), words);
  };
  return {
    ...teller,
    confirmed: async (line) => {
      await teller.say('operator', line);
      await teller.press('operator', 'Confirm');
    },
    reads: (words) => readsAtRest('channel', words),
    messagesTo: (who) => ({ reads: (words) => readsAtRest(who, words) }),
    modalOf: (who) => ({ reads: (words) => reads(() => modal(who), words) }),
    sees: async (words, where) => {
      const wanted = loosely(unindent(words));
      await until(() => loosely(text(where)).includes(wanted), `"${wanted}"`);
    },
  };
}

/** The card of a request that is done, and the reply to it with the same words. */
export const done = (title: string, said: string, buttons = '[… Details]') => `
        @hostler: ✅ ${title} · done in ‹time›
          ${said}
          Asked and confirmed by @operator
          ${buttons}
            @hostler: ${said}`;

/** A template literal without the indentation it has in the source. */
function unindent(text: string): string {
  const lines = text
    .replace(/^\n/, '')
    .replace(/\n\s*$/, '')
    .split('\n');
  const depth = Math.min(
    ...lines.filter((line) => line.trim() !== '').map((line) => /^ */.exec(line)?.[0].length ?? 0),
  );
  return lines.map((line) => line.slice(depth)).join('\n');
}

/** A notice is a sentence after a bold word in a message, and a bar with a sign in a modal, where Slack has such bars. */
const toneWords: Readonly<Record<string, string>> = { 'ⓘ': 'Note', '✔': 'Done', '⚠': 'Warning', '✖': 'Error' };

/** Replaces what differs from run to run with signs; lines that appear only where a machine is slow are left out. */
export function normal(text: string, cast: Cast): string {
  const words = text.replace(/^([ⓘ✔⚠✖]) /gm, (_, sign: string) => `${toneWords[sign]}: `);
  const read = words.replace(/^.*@hostler: The provider is slow to answer; I am still waiting for it[^\n]*\n?/gm, '');
  // A curve that is late follows below its answer.
  const plain = read.replace(/^(?: *|.*@hostler: )\(image: Curve of [^\n]*\n?/gm, '');
  return stableText(plain.replaceAll(cast.ops, '‹ops›')).trimEnd();
}
