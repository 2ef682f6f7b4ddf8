import { once } from 'node:events';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import { newFolder } from '../../support/process/new-folder.ts';

/** The sandbox in this process, without a bot, and requests to its page. */

export async function open(
  wanted?: string,
  log: (line: string) => void = () => {},
): Promise<Sandbox & { end(): Promise<void> }> {
  const dataDir = wanted ?? (await newFolder('page'));
  const sandbox = await startSandbox({ port: 0, host: '127.0.0.1', dataDir, log });
  let isOver = false;
  const end = async () => {
    if (isOver) return;
    isOver = true;
    await sandbox.close();
  };
  onTestFinished(end);
  return { ...sandbox, end };
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** fetch sets Host and Origin by itself, and this test needs other ones. */
export async function ask(
  url: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
  method = body === undefined ? 'GET' : 'POST',
): Promise<Answer> {
  const asked = request(`${url}${path}`, { method, headers }).end(body);
  const [response] = await once(asked, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

export const act = (url: string, name: string, as: string, input: unknown, headers: Record<string, string> = {}) =>
  ask(
    url,
    `/act/${name}?as=${as}`,
    { origin: url, 'content-type': 'application/json', ...headers },
    JSON.stringify(input),
  );

interface Change {
  readonly clear: string[];
  readonly drop: string[];
  readonly set: [string, unknown][];
}

/** One person's stream: the next change, whenever it comes. */
export async function listen(url: string, as: string) {
  const stop = new AbortController();
  onTestFinished(() => stop.abort());
  const response = await fetch(`${url}/live?as=${as}`, { signal: stop.signal });
  const changes: Change[] = [];
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  const next = async (): Promise<Change> => {
    for (;;) {
      const at = rest.indexOf('\n\n');
      if (at >= 0) {
        const entry = rest.slice(0, at);
        rest = rest.slice(at + 2);
        if (entry.startsWith('data: ')) {
          const change: Change = JSON.parse(entry.slice('data: '.length));
          changes.push(change);
          return change;
        }
        if (entry.startsWith('event: reload')) return { clear: ['reload'], drop: [], set: [] };
        continue;
      }
      const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
      if (done) throw new Error('the stream ended');
      rest += value;
    }
  };
  return { next, changes, stop: () => stop.abort() };
}

export const keysOf = ({ set }: Change) => set.map(([key]) => key);

export async function nextWith(stream: Awaited<ReturnType<typeof listen>>, words: string) {
  for (;;) {
    const change = await stream.next();
    if (JSON.stringify(change.set).includes(words)) return change;
  }
}

/** The first entries that the page of this person gets. */
export async function entriesFor(url: string, as: string): Promise<Map<string, unknown>> {
  const { next } = await listen(url, as);
  return new Map((await next()).set);
}
