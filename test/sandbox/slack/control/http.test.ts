import { expect } from 'vitest';
import { ask } from '../../page-server/open.ts';
import { openSlack, test } from '../bolt.ts';

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as curl or a browser would send it; `fetch` would not let a test choose its Host. */
async function send(port: number, name: string, args: unknown[], { method = 'POST', headers }: Sent = {}) {
  const all = { 'content-type': 'application/json', ...headers };
  const sent = method === 'POST' ? JSON.stringify({ args }) : undefined;
  const { status, body } = await ask(`http://127.0.0.1:${port}`, `/_sim/${name}`, all, sent);
  return { status, body: body === '' ? {} : JSON.parse(body) };
}

test('the simulated workspace can be controlled from another process', async () => {
  const { port } = await openSlack({ isControlServed: true });
  expect((await send(port, 'say', ['lead', '#ops', 'hello'])).status).toBe(200);
  expect(await send(port, 'transcript', ['#ops'])).toEqual({ status: 200, body: { ok: true, result: '@lead: hello' } });
  expect(await send(port, 'say', ['gone', '#ops', 'hello'])).toEqual({
    status: 400,
    body: { ok: false, error: '@gone is deactivated and cannot do anything in Slack' },
  });
  expect((await send(port, 'constructor', [])).status).toBe(404);
  const named = await send(port, 'transcript', ['#ops'], { headers: { host: `localhost:${port}` } });
  expect(named.status).toBe(200);
});

test('a page of another site cannot control the workspace, and a foreign host name cannot read it', async () => {
  const slack = await openSlack({ isControlServed: true });
  const attacks: Record<string, Sent> = {
    'a page of this very origin': { headers: { 'sec-fetch-site': 'same-origin' } },
    'another port of this machine': { headers: { host: '127.0.0.1:1' } },
    'a link': { method: 'GET' },
  };
  for (const [attack, sent] of Object.entries(attacks)) {
    // One route that acts, one that reads, and the one that makes this machine post elsewhere.
    for (const name of ['say', 'transcript', 'setRequestUrl']) {
      const { status, body } = await send(slack.port, name, ['admin', '#ops', 'owned'], sent);
      expect([attack, name, status]).toEqual([attack, name, 403]);
      expect(body.error).toMatch(/^The control API refuses this request: .+\.$/);
    }
  }
  expect(slack.sim.transcript('#ops')).toBe('');
});

test('without isControlServed there is no control over HTTP', async ({ slack }) => {
  expect((await send(slack.port, 'say', ['admin', '#ops', 'owned'])).status).toBe(404);
  expect(slack.sim.transcript('#ops')).toBe('');
});
