import type { View } from '../../core/view/view.ts';
import type { Messenger } from '../context/ports.ts';
import type { Place } from '../context/request.ts';

export type Calls = ReturnType<typeof createCalls>;

/** Passes the responses to calls of machines to the HTTP request that waits for them; all others go to Slack. */
export function createCalls(slack: Messenger) {
  const heard = new Map<string, View[]>();
  const isForCall = ({ call }: Place, view: View): boolean => {
    // After a crash, no HTTP request waits: the machine reads the state of its request.
    if (call !== undefined) heard.get(call.id)?.push(view);
    return call !== undefined;
  };
  const messenger: Messenger = {
    postEphemeral: async (place, user, view) =>
      isForCall(place, view) ? undefined : slack.postEphemeral(place, user, view),
    answer: async (place, user, view) => isForCall(place, view) || slack.answer(place, user, view),
    replace: slack.replace,
  };
  return {
    messenger,
    /** Does the work of a call and returns its last response; undefined if it gave none. */
    hear: async (id: string, work: () => Promise<void>): Promise<View | undefined> => {
      const views: View[] = [];
      heard.set(id, views);
      try {
        await work();
      } finally {
        heard.delete(id);
      }
      return views.at(-1);
    },
  };
}
