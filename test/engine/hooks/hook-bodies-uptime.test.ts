import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawn, makeHook, minute, openHooks, openWatch } from '../../alerts/support.ts';

/** Monitors that say up or down, with the bodies that they send by themselves; and groups of alerts that look alike. */

async function opened(kind: 'kuma' | 'healthchecks' | 'json' | 'alertmanager') {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const url = await makeHook(bot, kind);
  const send = async (body: unknown) => {
    const answer = await post(url, typeof body === 'string' ? body : JSON.stringify(body));
    await drawn(bot);
    return answer;
  };
  return { bot, send };
}

/** As Uptime Kuma posts it with the preset application/json, which has more fields. */
const beat = (status: number, time: string) => ({
  heartbeat: {
    monitorID: 29,
    status,
    time,
    msg: status === 1 ? '200 - OK' : 'connect ECONNREFUSED',
  },
  monitor: { id: 29, name: 'Shop', url: 'https://www.example.com', hostname: null, type: 'http', interval: 60 },
  msg: status === 1 ? '[Shop] [✅ Up] 200 - OK' : '[Shop] [🔴 Down] connect ECONNREFUSED',
});

test('a monitor of Uptime Kuma opens one alert when it is down, ends it when it is up, and its test is a note', async () => {
  const { bot, send } = await opened('kuma');
  const at = (ms: number) => new Date(bot.now() + ms).toISOString().replace('T', ' ').replace('Z', '');
  expect((await send(beat(0, at(-5 * minute)))).body).toEqual({ raised: 1, resolved: 0, known: 0 });
  expect(bot.story()).toContain('## 🔴 Shop is down\nconnect ECONNREFUSED\nwww.example.com\n');
  expect((await send(beat(2, at(0)))).body).toEqual({ raised: 0, resolved: 0, known: 0 });
  bot.skip(minute);
  expect((await send(beat(1, at(0)))).body).toEqual({ raised: 0, resolved: 1, known: 0 });
  expect(bot.alerts()).toHaveLength(1);
  // The time is that of Kuma, not that of the post.
  expect(bot.alerts()[0]?.view.summary).toMatch(/^✅ Resolved: Shop is down(?: · web-1)?, after 6 min$/);
  const test = { heartbeat: null, monitor: null, msg: 'My Alert Testing' };
  expect((await send(test)).body).toEqual({ raised: 1, resolved: 0, known: 0 });
  expect(bot.story()).toContain('⚪ My Alert Testing');
  const response = await send({ heartbeat: { status: 7 }, monitor: { name: 'x' }, msg: '' });
  expect(response).toMatchObject({ status: 400, body: { error: expect.stringContaining('heartbeat.status: ') } });
});

test('the body that the page gives for healthchecks.io works for down and up with any tags, and so does one by hand', async () => {
  const { bot, send } = await opened('healthchecks');
  const page = readFileSync('docs/alerts.md', 'utf8');
  const [, template = ''] = /healthchecks\.io, use[^`]*```text\n(.*)\n```/.exec(page) ?? [];
  const check = { name: 'backup "db-1"', slug: 'backup', tags: 'prod "eu"', desc: '', unique_key: 'abc', grace: 60 };
  const filled = (status: string) => {
    const text = template
      .replace('$JSON', JSON.stringify({ ...check, status }))
      .replace('$NAME_JSON', JSON.stringify(check.name))
      .replace('$STATUS', status)
      // healthchecks.io does not escape these.
      .replace('$TAGS', check.tags);
    return send(text);
  };
  expect((await filled('down')).body).toEqual({ raised: 1, resolved: 0, known: 0 });
  expect(bot.story()).toContain('## 🟡 backup "db-1" is down\nprod "eu"');
  bot.skip(minute);
  expect((await filled('up')).body).toEqual({ raised: 0, resolved: 1, known: 0 });
  expect((await filled('grace')).body).toEqual({ raised: 0, resolved: 0, known: 0 });
  const byHand = { name: 'Cron', status: 'down', code: '5bf66975', now: new Date(bot.now()).toISOString(), tags: '' };
  expect((await send(byHand)).body).toEqual({ raised: 1, resolved: 0, known: 0 });
  const response = await send('{"status": "down"}');
  expect(response).toMatchObject({ status: 400, body: { error: expect.stringContaining('Not accepted: name: ') } });
});

test('a refusal of the JSON hook names the field that was sent, of one alert and of several', async () => {
  const { send } = await opened('json');
  const whyOf = async (body: unknown) => JSON.stringify((await send(body)).body);
  const alert = { id: 'x', title: 'y' };
  for (const [body, field] of [
    [{ ...alert, status: 'down' }, 'status'],
    [{ ...alert, severity: 'bad' }, 'severity'],
    [{ title: 'y' }, 'id'],
    [{ ...alert, id: 4 }, 'id'],
    [{ alerts: [{ ...alert, status: 'down' }] }, 'alerts.0.status'],
    [{ alerts: {} }, 'alerts'],
    [[], 'the body'],
  ])
    expect(await whyOf(body)).toContain(`Not accepted: ${field}: `);
});

test('alerts of a group with the same title name what differs, open and resolved, and link to monitoring', async () => {
  const { bot, send } = await opened('alertmanager');
  const start = new Date(bot.now() - 30 * minute).toISOString();
  const body = (resolved: readonly string[], names: readonly string[]) => ({
    status: 'firing',
    groupKey: 'g',
    groupLabels: { alertname: 'InstanceDown' },
    commonLabels: { alertname: 'InstanceDown', job: 'node' },
    commonAnnotations: { summary: 'Instance down' },
    externalURL: 'http://alertmanager.internal:9093',
    alerts: names.map((name) => ({
      status: resolved.includes(name) ? 'resolved' : 'firing',
      labels: { alertname: 'InstanceDown', job: 'node', instance: `${name}:9100` },
      annotations: {},
      startsAt: start,
      endsAt: resolved.includes(name) ? new Date(bot.now()).toISOString() : '0001-01-01T00:00:00Z',
      generatorURL: name === 'h1' ? 'javascript:alert(1)' : 'http://prometheus.internal:9090/graph?g0.expr=up',
      fingerprint: name,
    })),
  });
  await send(body([], ['web-1', 'h1', 'h2']));
  expect(bot.story()).toContain('3 alerts · alertname=InstanceDown');
  expect(bot.story()).toContain('InstanceDown: Instance down · web-1 · instance=web-1:9100 · since ');
  expect(bot.story()).toContain('InstanceDown: Instance down · instance=h1:9100 · since ');
  expect(bot.story()).toContain('Source: prometheus.internal:9090');
  expect(bot.story()).toContain('Source: alertmanager.internal:9093');
  expect(bot.story()).not.toContain('javascript');
  bot.skip(minute);
  await send(body(['h1'], ['web-1', 'h1', 'h2']));
  expect(bot.story()).toContain('✅ InstanceDown: Instance down · instance=h1:9100 · resolved after 31 min');
  const single = await opened('alertmanager');
  await single.send(body([], ['h7']));
  single.bot.skip(minute);
  await single.send(body(['h7'], ['h7']));
  expect(single.bot.alerts()[0]?.view.summary).toMatch(
    /^✅ Resolved: InstanceDown: Instance down · instance=h7:9100, after/,
  );
});
