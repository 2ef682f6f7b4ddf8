import type { Post } from '../../sandbox/judge/history.ts';
import type { View } from '../../src/core/view/view.ts';
import { plain } from '../../src/core/view/view.ts';
import type { Outbox } from '../../src/engine/context/outbox.ts';
import type { Messenger } from '../../src/engine/context/ports.ts';
import { buttonsIn, readView } from '../../test/support/bot/view-text.ts';
import type { Scheduler } from './scheduler.ts';
import { virtualNow } from './virtual-world.ts';

/** Simulates a Slack channel: stores the visible messages and the buttons on them. */

interface Standing {
  readonly key: string;
  readonly channel: string;
  readonly ts: string;
  view: View;
}

export type Room = ReturnType<typeof createRoom>;

export function createRoom(scheduler: Scheduler) {
  const posts: Post[] = [];
  const standing: Standing[] = [];

  const keep = (post: Omit<Post, 'at' | 'text' | 'requests'> & { readonly view: View }) => {
    const { view, ...rest } = post;
    const intents = view.parts.flatMap(buttonsIn).map(({ intent }) => intent);
    posts.push({
      ...rest,
      at: virtualNow(),
      requests: intents.flatMap((intent) => (intent.do === 'vote' ? [intent.operation] : [])),
      text: `${plain(view.summary)}\n${readView(view, (id) => id)}`,
    });
  };
  const say = async (channel: string, thread: string | null, onlyFor: string | null, view: View) => {
    await scheduler.at('Slack: a private answer');
    keep({ channel, thread, onlyFor, isEdit: false, message: `private ${posts.length}`, view });
  };
  const messenger: Messenger = {
    postEphemeral: (place, user, view) => say(place.channel, place.thread ?? null, user, view),
    answer: async (place, _user, view) => {
      await say(place.channel, place.thread ?? null, null, view);
      return true;
    },
    replace: async () => false,
  };

  function put(message: {
    key: string;
    channel: string;
    threadTs: string | null;
    ts: string | null;
    view: View;
  }): string {
    const { key, channel, threadTs: thread, ts, view } = message;
    const previous = ts === null ? undefined : standing.find((candidate) => candidate.ts === ts);
    const name = previous?.ts ?? `${standing.length + 1}.0`;
    keep({ channel, thread, onlyFor: null, isEdit: previous !== undefined, message: name, view });
    if (previous !== undefined) {
      previous.view = view;
      return previous.ts;
    }
    const posted = { key, channel, ts: name, view };
    standing.push(posted);
    return posted.ts;
  }

  return {
    posts,
    messenger,
    /** Delivers as the bot does: on each nudge and every second, one message at a time. */
    deliver(outbox: Outbox): void {
      let isBusy = false;
      let isDue = false;
      /**
       * Posted messages whose delivery is not stored, as in src/slack/deliver.ts: they are edited, not posted twice.
       */
      const unnoted = new Map<string, string>();
      const drain = async () => {
        isDue = true;
        if (isBusy) return;
        isBusy = true;
        try {
          while (isDue) {
            isDue = false;
            for (const claimed of await outbox.claim(50)) {
              const message = { ...claimed, ts: claimed.ts ?? unnoted.get(claimed.key) ?? null };
              await scheduler.at(`Slack: ${message.ts === null ? 'post' : 'edit'} ${message.key}`);
              const ts = put(message);
              unnoted.set(message.key, ts);
              await scheduler.at(`Slack took ${message.key}`);
              await outbox.delivered(message.key, message.version, ts);
              unnoted.delete(message.key);
              isDue = true;
            }
          }
        } finally {
          isBusy = false;
        }
      };
      const drainOrWait = () => drain().catch(() => undefined);
      outbox.onNudge(() => void drainOrWait());
      setInterval(drainOrWait, 1_000);
    },
    /** The request of the newest card that shows a button with this label. */
    buttonFor(label: string) {
      for (const message of standing.toReversed()) {
        const button = message.view.parts.flatMap(buttonsIn).find((candidate) => candidate.label === label);
        if (button?.intent.do === 'vote') return { ...message, intent: button.intent };
      }
      return undefined;
    },
    newestRequest() {
      const card = standing.findLast(
        ({ key, view }) => key.startsWith('card:') && !plain(view.summary).startsWith('Freeze'),
      );
      return card === undefined ? undefined : { operation: card.key.slice('card:'.length), ts: card.ts };
    },
  };
}
