import type { Button, View } from '../../../src/core/view/view.ts';
import type { OutboxMessage } from '../../../src/engine/context/outbox.ts';
import type { FormAnswer, Messenger } from '../../../src/engine/context/ports.ts';
import type { Place } from '../../../src/engine/context/request.ts';
import type { RunningEngine } from '../../../src/engine/engine.ts';
import { recordMessage as record } from './drawn-views.ts';
import { ops } from './fake-slack.ts';
import { backticksIn, oddTablesIn, rawWordsIn, textsOfForm, textsOfParts, textsOfView } from './raw-words.ts';
import { buttonsIn, isCalled, readView } from './view-text.ts';

/** Everything the bot has said: the messages of all channels, and those that only one person sees. */

export interface Posted {
  readonly key: string;
  readonly channel: string;
  readonly ts: string;
  readonly threadTs: string | null;
  view: View;
  readonly onlyFor?: string;
  /** The answer that only this dialog shows. */
  readonly dialog?: string;
}

export interface TranscriptOptions {
  readonly nameOf: (id: string) => string;
  readonly changed: () => void;
  readonly log: string[];
}

export type Transcript = ReturnType<typeof createTranscript>;

export function createTranscript({ nameOf, changed, log }: TranscriptOptions) {
  const posted: Posted[] = [];
  /** Dates, ids and hashes that people would have read. */
  const raw = new Set<string>();

  function recordMessage(view: View): void {
    record(view);
    for (const words of [
      ...rawWordsIn(textsOfView(view)),
      ...backticksIn(textsOfParts(view)),
      ...oddTablesIn(view.parts),
    ])
      raw.add(words);
  }

  function put(message: Omit<Posted, 'ts'>): string {
    recordMessage(message.view);
    const ts = `${posted.length + 1}.0`;
    posted.push({ ...message, ts });
    return ts;
  }

  const show = (message: Omit<Posted, 'ts' | 'key'>) => {
    put({ key: '', ...message });
    changed();
  };
  const desk: Messenger = {
    postEphemeral: async (place, user, view) =>
      show({
        channel: place.channel,
        threadTs: place.isThreadEmpty ? null : (place.thread ?? null),
        view,
        onlyFor: user,
        ...(place.dialog === undefined ? {} : { dialog: place.dialog }),
      }),
    answer: async (place, _user, view) => {
      show({ channel: place.channel, threadTs: place.thread ?? null, view });
      return true;
    },
    replace: async ({ id }, view) => {
      const message = clicked.get(id);
      if (message === undefined || !isReplaceable) return false;
      recordMessage(view);
      message.view = view;
      changed();
      return true;
    },
  };

  /** The messages whose buttons were clicked, by request. */
  const clicked = new Map<string, Posted>();
  let isReplaceable = true;
  /** As Slack says where a click happened: a message that only one person sees has no name there. */
  const placeOfClick = ({ channel, ts, threadTs, onlyFor }: Posted): Place => ({
    channel,
    kind: 'channel',
    ...(onlyFor === undefined ? { message: ts } : {}),
    ...(threadTs ? { thread: threadTs } : {}),
  });

  /** Posted once, then edited in its place. */
  function postOrEdit({ key, channel, threadTs, view }: OutboxMessage): string {
    const known = posted.find((one) => one.key === key);
    if (known === undefined) return put({ key, channel, threadTs, view });
    known.view = view;
    recordMessage(view);
    return known.ts;
  }

  const drains = new Set<Promise<void>>();
  /** Resolves when all that was stored is posted. */
  async function delivered(): Promise<void> {
    while (drains.size > 0) await Promise.all(drains);
  }

  /** Delivers what is in the outbox, until the returned function is called. */
  function deliver({ outbox }: RunningEngine): () => void {
    let isBusy = false;
    let isDue = false;
    const drain = async (): Promise<void> => {
      isDue = true;
      if (isBusy) return;
      isBusy = true;
      try {
        while (isDue) {
          isDue = false;
          for (const message of await outbox.claim(50)) {
            await outbox.delivered(message.key, message.version, postOrEdit(message));
            isDue = true;
          }
        }
      } finally {
        isBusy = false;
      }
      changed();
    };
    const drainOrNote = () => {
      const draining = drain()
        .catch((error) => void log.push(`deliver ${error}`))
        .finally(() => drains.delete(draining));
      drains.add(draining);
    };
    const stopListening = outbox.onNudge(drainOrNote);
    // As in production, this round finds the rows that a replica stored while it stopped.
    const timer = setInterval(drainOrNote, 1_000);
    return () => {
      clearInterval(timer);
      stopListening();
    };
  }

  function findButton(label: string, which: 'first' | 'last' = 'last'): { button: Button; message: Posted } {
    const hits = posted
      .flatMap((message) => message.view.parts.flatMap(buttonsIn).map((button) => ({ button, message })))
      .filter(({ button }) => isCalled(button, label));
    const found = hits.at(which === 'last' ? -1 : 0);
    if (!found) throw new Error(`no button ${label} in:\n${transcript()}`);
    return found;
  }

  function transcript(channel = ops): string {
    const own = posted.filter((message) => message.channel === channel);
    const roots = own.filter((message) => message.threadTs === null || !own.some((one) => one.ts === message.threadTs));
    return roots
      .flatMap((root) => [
        linesOf(root),
        ...own
          .filter((message) => message !== root && message.threadTs === root.ts)
          .map((reply) => linesOf(reply).replace(/^/gm, '    ')),
      ])
      .join('\n');
  }

  function linesOf(message: Posted): string {
    const only = message.onlyFor ? `(only @${nameOf(message.onlyFor)}) ` : '';
    return only + readView(message.view, nameOf);
  }

  /** The transcript without the parts that differ from run to run. */
  function story(channel = ops): string {
    return (
      transcript(channel)
        .replace(/\b[a-z2-9]{8,10}\b(?=$|\)| |,|\.)/gm, (word) =>
          posted.some((message) => message.key.includes(`:${word}`)) ? '‹id›' : word,
        )
        .replace(/freeze [0-9a-f]{6}/g, 'freeze ‹id›')
        // A card always has its duration; a sentence only from 1.5 s on, which depends on the machine.
        .replace(/(?<=\[done) in \d+ (s|min)( \d+ s)?/g, ' in ‹time›')
        .replace(/ in \d+ (s|min)( \d+ s)?/g, '')
        .replace(/\d{4}-\d\d-\d\d( \d\d:\d\d( UTC)?)?/g, '‹date›')
        .replace(/\(\d+ days?\)/g, '(‹n› days)')
    );
  }

  return {
    posted,
    raw,
    noteForm: (answer: FormAnswer): FormAnswer => {
      const texts = 'form' in answer ? textsOfForm(answer.form) : textsOfView(answer.view);
      for (const words of [...rawWordsIn(texts), ...backticksIn('form' in answer ? texts : textsOfParts(answer.view))])
        raw.add(words);
      return answer;
    },
    desk,
    noteClick: (request: string, message: Posted) => void clicked.set(request, message),
    /** From now on Slack says that messages are too old. */
    neverReplace: () => {
      isReplaceable = false;
    },
    placeOfClick,
    deliver,
    delivered,
    findButton,
    transcript,
    story,
  };
}
