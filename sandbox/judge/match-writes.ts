import type { History, Write } from './history.ts';
import { type Call, type RequestStory, requestsOf } from './requests.ts';

export interface AnnouncedWrite {
  readonly request: RequestStory;
  readonly call: Call;
  readonly write: Write;
}

/** Each write beside the line of the audit that announced it, and the writes that none announced. */
export interface Matches {
  readonly matched: readonly AnnouncedWrite[];
  readonly unannounced: readonly Write[];
}

/** The last word of the path that a command's write has; any write to the target for commands that are not here. */
const verbs: Readonly<Record<string, string>> = {
  restart: 'restart',
  start: 'start',
  stop: 'stop',
  'hard-reset': 'hard_reset',
  'rescue on': 'rescue_mode',
  'rescue off': 'stop_rescue_mode',
  cancel: 'cancel',
  reinstall: 'reinstall',
};

function fits(request: RequestStory, call: Call, write: Write): boolean {
  const verb = verbs[request.command];
  if (verb !== undefined && !write.path.endsWith(`/${verb}/`)) return false;
  if (call.target === null) return true;
  const id = call.target.slice(call.target.indexOf(':') + 1);
  return call.target.startsWith('account') || write.path.split('/').includes(id);
}

/** A write belongs to the newest fitting line before it that has none yet. */
export function matchWrites(history: History): Matches {
  const calls = requestsOf(history).flatMap((request) => request.calls.map((call) => ({ request, call })));
  const matched: AnnouncedWrite[] = [];
  const unannounced: Write[] = [];
  for (const write of history.writes) {
    const free = calls
      .filter(({ request, call }) => call.at <= write.at && fits(request, call, write))
      .filter(({ call }) => !matched.some((match) => match.call === call))
      .sort((a, b) => b.call.seq - a.call.seq);
    const [found] = free;
    if (found === undefined) unannounced.push(write);
    else matched.push({ ...found, write });
  }
  return { matched, unannounced };
}
