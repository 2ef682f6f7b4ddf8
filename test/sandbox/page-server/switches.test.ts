import { expect, test } from 'vitest';
import { clientFor } from '../slack/bolt.ts';
import { act, entriesFor, open } from './open.ts';

const ops = 'C0OPS00001';

test('the 429 of Slack can be switched on and off, and starting over ends it', async () => {
  const { slack, url } = await open();
  const { chat } = clientFor(slack);
  const status = () =>
    chat.postMessage({ channel: ops, text: 'x' }).then(
      () => 200,
      (error: { retryAfter?: number }) => error.retryAfter,
    );
  const flip = (isOn: boolean) => act(url, 'switch', 'operator', { name: 'slackThrottled', isOn });
  await flip(true);
  expect(await status()).toBe(3);
  expect((await entriesFor(url, 'operator')).get('switches')).toContainEqual(
    expect.objectContaining({ name: 'slackThrottled', isOn: true }),
  );
  await flip(false);
  expect(await status()).toBe(200);
  await flip(true);
  await fetch(`${url}/start-over`, { method: 'POST', headers: { origin: url } });
  expect(await status()).toBe(200);
});

test('the switch for a lost response loses one response, of any operation', async () => {
  const { url, provider } = await open();
  await act(url, 'switch', 'operator', { name: 'answerLost', isOn: true });
  const call = (path: string) =>
    fetch(`${provider.url}${path}`, { method: 'POST', headers: { authorization: `Api-Key ${provider.key}` } });
  await expect(call('/vps/34-12345/restart/')).rejects.toThrow();
  expect((await call('/vps/34-12399/restart/')).status).toBe(200);
  expect(provider.sim.state().faults).toEqual([]);
  expect(provider.sim.state().jobs.filter((job) => job.state === 'ready')).toHaveLength(2);
});

test.each(['bootsSilent', 'answersLate'])('the switch %s ends with a boot, and by starting over', async (name) => {
  const { url, provider, proberAt } = await open();
  const order = '34-12345';
  const isArmed = async () =>
    ((await entriesFor(url, 'operator')).get('switches') as { name: string; isOn: boolean }[]).some(
      (each) => each.name === name && each.isOn,
    );
  const isOpen = () => {
    const [ssh, closed] = [22, 5_432].map((port) => proberAt.at({ address: '192.0.2.10', port })?.port);
    return ssh !== closed;
  };
  expect(isOpen()).toBe(true);
  await act(url, 'switch', 'operator', { name, isOn: true });
  expect(await isArmed()).toBe(true);
  for (const state of ['off', 'on'] as const) provider.sim.power({ order, state });
  expect(await isArmed()).toBe(false);
  provider.sim.advance(10_000);
  expect(isOpen()).toBe(false);
  provider.sim.advance(60_000);
  expect(isOpen()).toBe(name === 'answersLate');
  await act(url, 'switch', 'operator', { name, isOn: true });
  await fetch(`${url}/start-over`, { method: 'POST', headers: { origin: url } });
  expect(await isArmed()).toBe(false);
  expect(isOpen()).toBe(true);
});
