import type { History, Write } from './history.ts';
import { type Call, type RequestStory, requestsOf } from './requests.ts';

export interface AnnouncedWrite {
  readonly request: RequestStory;
  readonly call: Call;
  readonly write: Write;
}

/** The writes with the audit lines that announced them, and the unannounced writes. */
export interface Matches {
  readonly matched: readonly AnnouncedWrite[];
  readonly unannounced: readonly Write[];
}

/** The last word in the path of a command's write. Other commands match any write to their target. */
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

/** Matches each write with the newest fitting line before it that has no write yet. */
export function matchWrites(history: History): Matches {
  const calls = requestsOf(history).flatMap((request) => request.calls.map((call) => ({ request, call })));
  const matched: AnnouncedWrite[] = [];
  const unannounced: Write[] = [];
  for (const write of history.writes) {
    const free = calls
      .filter(({ request, call }) => call.at <= write.at && fits(request, call, write))
      .filter(({ call }) => !matched.some((match) => match.call === call))
      .sort((a, b) => b.call.seq - a.call.seq);
    const [latest] = free;
    if (latest === undefined) unannounced.push(write);
    else matched.push({ ...latest, write });
  }
  return { matched, unannounced };
}
