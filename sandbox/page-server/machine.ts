import { randomUUID } from 'node:crypto';
import { asDict, type Dict } from '../slack/dict.ts';

/** A machine that asks with a token and follows each request. No idle connection of it delays the bot's end. */

export function createMachine(changed: () => void) {
  let at = { url: '', token: '' };
  let last: Dict = {};
  let following = new AbortController();
  async function call(signal: AbortSignal, method: string, path: string, body?: string): Promise<void> {
    const headers = { authorization: `Bearer ${at.token}`, connection: 'close' };
    const response = await fetch(`${at.url}${path}`, { method, headers, signal, body: body ?? null });
    const answer = asDict(await response.json());
    last = { call: `${method} ${path}`, body, status: response.status, answer };
    changed();
    if (answer.id && !answer.end) call(signal, 'GET', `/api/requests/${answer.id}?wait=50`).catch(() => {});
  }
  /** Forgets the last call, and stops following it. `bot`: another one, since it starts more than once. */
  function begin(bot = at): AbortSignal {
    following.abort();
    following = new AbortController();
    [at, last] = [bot, {}];
    changed();
    return following.signal;
  }
  const ask = (line: string) => call(begin(), 'POST', '/api/run', JSON.stringify({ line, key: randomUUID() }));
  return { begin, ask, shown: () => ({ ...at, ...last }) };
}
