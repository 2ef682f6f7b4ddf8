import { expect, test } from 'vitest';
import { clientFor, openSlack, openSocketApp, plain, section } from './bolt.ts';

test('an ephemeral message can be replaced through its response_url five times, within half an hour', async () => {
  let nowMs = Date.now();
  const slack = await openSlack({ clock: () => nowMs });
  const urls: string[] = [];
  await openSocketApp(slack, (app) => {
    app.action('more', async ({ ack, body, respond }) => {
      await ack();
      if (body.type === 'block_actions') urls.push(body.response_url);
      await respond({ replace_original: true, text: 'used' });
    });
  });
  const whisper = () =>
    clientFor(slack).chat.postEphemeral({
      channel: 'C0OPS00001',
      user: 'U0LEAD0001',
      text: 'psst',
      blocks: [
        section('psst'),
        { type: 'actions', elements: [{ type: 'button', action_id: 'more', text: plain('More') }] },
      ],
    });
  await whisper();
  expect(slack.sim.transcript('#ops', 'reader')).toBe('');
  await expect(slack.sim.click('reader', { channel: '#ops', label: 'More' })).rejects.toThrow('no message there');
  const outcome = await slack.sim.click('lead', { channel: '#ops', label: 'More' });
  expect(slack.sim.payload(outcome.payloadId ?? '')?.body).not.toHaveProperty('message');
  await slack.sim.waitFor('(only visible to @lead) @hostler: used', { channel: '#ops' });

  const post = async (text: string) => {
    const response = await fetch(urls[0] ?? '', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
    });
    return [response.status, await response.json()];
  };
  for (const use of ['2', '3', '4', '5']) expect((await post(use))[0]).toBe(200);
  expect(await post('6')).toEqual([404, { ok: false, error: 'used_url' }]);
  await whisper();
  urls.length = 0;
  await slack.sim.click('lead', { channel: '#ops', label: 'More' });
  // A click is over when it is acknowledged: the app answers after that, and must not be late itself.
  await slack.sim.waitFor((sim) => sim.transcript('#ops', 'lead').match(/@hostler: used/g)?.length === 2 || undefined);
  nowMs += 30 * 60_000 + 1;
  expect(await post('late')).toEqual([404, { ok: false, error: 'expired_url' }]);
});
