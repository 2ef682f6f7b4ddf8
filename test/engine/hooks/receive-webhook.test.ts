import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { creationSecret } from '../../../src/engine/hooks/creation-webhook.ts';
import { makeHook, makeHookAlone, minute, openHooks, openWatch, tidy } from '../../alerts/support.ts';
import { startedCreation } from '../../support/creation.ts';
import { ops } from '../../support/fake-slack.ts';

/** Posts of monitoring, over HTTP to the running bot. */

const now = () => new Date().toISOString();

/** As Grafana 11 sends it; it adds more fields, which nobody reads. */
function grafana(status: 'firing' | 'resolved', startsAt: string) {
  const own = { alertname: 'Disk almost full', grafana_folder: 'Hosts', host: 'db-1.example.com' };
  const alert = {
    status,
    labels: { ...own, severity: 'warning' },
    annotations: { summary: 'Less than 5 % is free on db-1' },
    startsAt,
    endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : now(),
    generatorURL: 'https://grafana.example.com/alerting/grafana/abc/view?orgId=1',
    fingerprint: '57c6d9296de2ad39',
    panelURL: '',
    values: { B: 4.2, C: 1 },
    valueString: "[ var='B' labels={host=db-1.example.com} value=4.2 ]",
  };
  return JSON.stringify({
    status,
    alerts: [alert],
    groupLabels: { alertname: 'Disk almost full', grafana_folder: 'Hosts' },
    commonLabels: own,
    commonAnnotations: alert.annotations,
    externalURL: 'https://grafana.example.com/',
    groupKey: '{}/{}:{alertname="Disk almost full", grafana_folder="Hosts"}',
    truncatedAlerts: 0,
    title: '[FIRING:1] Disk almost full Hosts',
  });
}

test('an alert of Grafana is one message that turns resolved, and its buttons act under the channel’s policy', async () => {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const path = await makeHook(bot, 'grafana');
  const startsAt = now();
  expect((await post(path, grafana('firing', startsAt))).status).toBe(200);
  await bot.until(() => bot.alerts().length === 1);
  await bot.delivered();
  expect(tidy(bot.story()).slice(bot.story().indexOf('## 🟡'))).toMatchInlineSnapshot(`
    "## 🟡 Disk almost full: Less than 5 % is free on db-1
    grafana_folder=Hosts host=db-1.example.com severity=warning
    [ var='B' labels={host=db-1.example.com} value=4.2 ]
    db-1 · 34-12346 · 192.0.2.20 · Cloud NVMe 4 · active
    Source: grafana.example.com
    · since ‹date›
    [Status] [Stats] [Restart] [I'm on it]
    [More ▾ [Ticket…] [Snooze for 1 hour] [Snooze for 4 hours] [Snooze for 1 day] [Snooze for 7 days]]"
  `);
  await bot.press('reader', 'Restart');
  expect(bot.transcript()).toContain('(only @reader) You may not use /host restart on db-1 here');
  await bot.press('operator', 'Restart');
  expect(bot.transcript()).toContain('## ⏳ Restart db-1');
  expect((await post(path, grafana('resolved', startsAt))).body).toMatchObject({ resolved: 1 });
  await bot.until(() => /^✅/.test(String(bot.alerts()[0]?.view.summary)));
  expect(bot.alerts()).toHaveLength(1);
});

test('a post with a wrong address, an oversized body or a malformed body gets 401, 413 or 400, and nothing of it is stored', async () => {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const path = await makeHook(bot, 'alertmanager', 'prometheus');
  const body = '{"status":"firing","alerts":[{"status":"firing","labels":{"alertname":"HighCPU"}}]}';
  expect((await post('/hooks/alertmanager/nonsense', body)).status).toBe(401);
  expect((await post(path.replace('alertmanager', 'grafana'), body)).status).toBe(401);
  expect((await post(path.replace('alertmanager', 'toString'), body)).status).toBe(401);
  expect((await post(`${path}/more`, body)).status).toBe(404);
  expect((await post(path, JSON.stringify({ pad: 'x'.repeat(256 * 1024) }))).status).toBe(413);

  const malformed = ['', '[]', '"x"', 'null', '{"status":"firing","alerts":[{}]}', '\xff\xfe'];
  for (const one of malformed) expect((await post(path, one)).status, one).toBe(400);
  expect((await post(path, new Uint8Array([0x7b, 0xff, 0x7d]))).status).toBe(400);
  // The content type is ignored: curl sends this one with each post.
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  expect((await post(path, '{"status":"firing","alerts":[]}', form)).status).toBe(200);
  expect((await post(path, '{"status":"firing","alerts":[{"status":"on"}]}')).body).toEqual({
    error: 'Not accepted: alerts.0.status: Invalid option: expected one of "firing"|"resolved".',
  });
  const incomparable = '{"id":{"length":{"toString":1,"valueOf":1}},"title":"x"}';
  expect((await post((await makeHookAlone(bot, 'json')).url, incomparable)).status).toBe(400);
  expect(await bot.store.alerts.countOpen()).toBe(0);
  expect(bot.alerts()).toEqual([]);

  const rows = await bot.database.run('select * from hooks');
  const secret = path.split('.').at(-1) ?? '';
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(JSON.stringify(await bot.store.audit.list({ limit: 100 }))).not.toContain(secret);
  expect(bot.transcript()).not.toContain(secret);
});

test('a post is refused and logged when the database is offline or the bot has a bug, and accepted when it is repeated', async () => {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const { url } = await makeHookAlone(bot, 'json');
  const { alerts } = bot.store;
  const { insertAll } = alerts;
  const body = JSON.stringify({ id: 'backup', title: 'The backup is missing' });
  for (const [error, status, why] of [
    [new StoreUnavailable('no answer from hostler.db'), 503, 'the database does not respond right now'],
    [new Error('a bug'), 500, 'something is wrong with the bot; details are in the log'],
  ] as const) {
    alerts.insertAll = () => Promise.reject(error);
    expect(await post(url, body)).toEqual({ status, body: { error: `Not accepted: ${why}. Post it again.` } });
    expect(bot.log.splice(0)).toEqual([`http ${error}`]);
  }
  alerts.insertAll = insertAll;
  expect((await post(url, body)).body).toMatchObject({ raised: 1 });
});

test('only an admin can make hooks', async () => {
  const bot = await openWatch({});
  for (const line of ['hook add json mine', 'hook']) {
    await bot.say('operator', `alerts ${line}`);
    const command = /^hook(?: add)?/.exec(line)?.[0];
    expect(bot.story()).toContain(`(only @operator) You may not use /host alerts ${command} here: only an admin `);
  }
});

test('the report of a created server seals the login for the requester once, and notifies the channel', async () => {
  const bot = await openWatch({ 'new-server': {} }, { config: { publicUrl: 'http://hostler' } });
  const { post } = await openHooks(bot);
  const operation = { id: await startedCreation(bot.store, 'abcdefgh') };
  const body = JSON.stringify({
    id: '34-12345',
    name: 'web-1',
    tariff: 'Cloud NVMe 2',
    credentials: { ip_address: '192.0.2.10', username: 'root', password: 'correct horse' },
  });
  const sign = (text: string, id = operation.id) => ({
    'fornex-signature': createHmac('sha256', creationSecret(new Uint8Array(32).fill(7), id))
      .update(text)
      .digest('hex'),
  });
  const path = `/hooks/created/${operation.id}`;
  expect((await post(path, body)).status).toBe(401);
  expect((await post(path, body, { 'fornex-signature': '00'.repeat(32) })).status).toBe(401);
  expect((await post(path, `${body} `, sign(body))).status).toBe(401);
  expect((await post('/hooks/created/other123', body, sign(body))).status).toBe(401);
  expect((await post(path, '{}', sign('{}'))).status).toBe(400);

  expect(await post(path, body, sign(body))).toEqual({ status: 200, body: { taken: 1 } });
  await bot.until(() => bot.alerts().length === 1);
  await bot.delivered();
  expect(bot.alerts()[0]?.view.summary).toBe('web-1 is new');
  expect(await post(path, body, sign(body))).toEqual({ status: 200, body: { known: 1 } });
  expect(bot.posted.filter((message) => message.key.startsWith('secret:'))).toHaveLength(1);

  const form = await bot.open('operator', { button: 'Reveal once' });
  expect('code' in form && form.code).toBe('192.0.2.10\nroot\ncorrect horse');
  const kept = await Promise.all(
    ['stored_values', 'audit', 'messages', 'secrets', 'alerts', 'inbox', 'operations', 'steps'].map((table) =>
      bot.database.run(`select * from ${table}`),
    ),
  );
  expect(JSON.stringify(kept)).not.toContain('correct horse');
  await bot.later(25 * 60 * minute);
  expect(bot.alerts()[0]?.view.summary, 'news stays as it was').toBe('web-1 is new');
  expect((await bot.store.alerts.listOpen({ channel: ops, limit: 5 })).length).toBe(0);
});
