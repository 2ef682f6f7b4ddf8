import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { hour } from '../../../src/core/text/words.ts';
import { StoreUnavailable } from '../../../src/core/view/errors.ts';
import { creationSecret } from '../../../src/engine/hooks/creation-webhook.ts';
import { confirmed, makeHook, makeHookAlone, openHooked, openHooks, openWatch, tidy } from '../../alerts/support.ts';
import { startedCreation } from '../../support/bot/creation.ts';
import { ops } from '../../support/bot/fake-slack.ts';
import { requested } from '../told.ts';

/** Posts of monitoring, over HTTP to the running bot. */

const now = () => new Date().toISOString();

/** As Alertmanager 0.27 sends it (webhook version 4), two alerts in a group. */
function alertmanager(status: 'firing' | 'resolved', startsAt: string, over: { second?: 'firing' | 'resolved' } = {}) {
  const alert = (instance: string, fingerprint: string, its: string) => ({
    status: its,
    labels: { alertname: 'HighCPU', instance, job: 'node', severity: 'critical' },
    annotations: { description: `${instance} has been above 90% for 10 minutes`, summary: 'CPU is busy' },
    startsAt,
    endsAt: its === 'firing' ? '0001-01-01T00:00:00Z' : now(),
    generatorURL: 'http://prometheus.internal:9090/graph?g0.expr=cpu',
    fingerprint,
  });
  return JSON.stringify({
    receiver: 'hostler',
    status,
    alerts: [
      alert('192.0.2.10:9100', '5ef77f1f8a3ecf8d', status),
      alert('unrelated-host:9100', '2c8ddae5bc3b3e2e', over.second ?? status),
    ],
    groupLabels: { alertname: 'HighCPU' },
    commonLabels: { alertname: 'HighCPU', job: 'node', severity: 'critical' },
    commonAnnotations: { summary: 'CPU is busy' },
    externalURL: 'http://alertmanager.internal:9093',
    version: '4',
    groupKey: '{}:{alertname="HighCPU"}',
    truncatedAlerts: 0,
  });
}

/** As Grafana 11 sends it. */
function grafana(status: 'firing' | 'resolved', startsAt: string) {
  return JSON.stringify({
    receiver: 'Hostler',
    status,
    alerts: [
      {
        status,
        labels: {
          alertname: 'Disk almost full',
          grafana_folder: 'Hosts',
          host: 'db-1.example.com',
          severity: 'warning',
        },
        annotations: { summary: 'Less than 5 % is free on db-1' },
        startsAt,
        endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : now(),
        generatorURL: 'https://grafana.example.com/alerting/grafana/abc/view?orgId=1',
        fingerprint: '57c6d9296de2ad39',
        silenceURL: 'https://grafana.example.com/alerting/silence/new?alertmanager=grafana',
        dashboardURL: '',
        panelURL: '',
        values: { B: 4.2, C: 1 },
        valueString: "[ var='B' labels={host=db-1.example.com} value=4.2 ]",
      },
    ],
    groupLabels: { alertname: 'Disk almost full', grafana_folder: 'Hosts' },
    commonLabels: { alertname: 'Disk almost full', grafana_folder: 'Hosts', host: 'db-1.example.com' },
    commonAnnotations: { summary: 'Less than 5 % is free on db-1' },
    externalURL: 'https://grafana.example.com/',
    version: '1',
    groupKey: '{}/{}:{alertname="Disk almost full", grafana_folder="Hosts"}',
    truncatedAlerts: 0,
    orgId: 1,
    title: '[FIRING:1] Disk almost full Hosts',
    state: 'alerting',
    message: '**Firing**',
  });
}

test('a group of Alertmanager is one message that turns resolved and has the card of the account’s server', async () => {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const path = await makeHook(bot, 'alertmanager', 'prometheus');
  const startsAt = now();
  const response = await post(path, alertmanager('firing', startsAt));
  expect(response).toEqual({ status: 200, body: { raised: 2, resolved: 0, known: 0 } });
  await bot.until(() => bot.alerts().length === 1);
  await bot.delivered();
  const story = () => tidy(bot.story()).slice(tidy(bot.story()).indexOf('## 🔴'));
  expect(story()).toMatchInlineSnapshot(`
    "## 🔴 2 alerts · alertname=HighCPU
    🔴 HighCPU: CPU is busy · web-1 · instance=192.0.2.10:9100 · since ‹date›
    🔴 HighCPU: CPU is busy · instance=unrelated-host:9100 · since ‹date›
    · Source: prometheus.internal:9090
    [Status web-1] [Stats web-1] [Restart web-1] [List] [I'm on it]
    [More ▾ [Snooze for 1 hour] [Snooze for 4 hours] [Snooze for 1 day] [Snooze for 7 days]]"
  `);
  // The repeat that Alertmanager sends while the alert lasts, and the same body once more.
  expect((await post(path, alertmanager('firing', startsAt))).body).toEqual({ raised: 0, resolved: 0, known: 2 });
  expect((await post(path, alertmanager('firing', startsAt, { second: 'resolved' }))).body).toMatchObject({
    resolved: 1,
  });
  await bot.until(() =>
    bot.transcript().includes('✅ HighCPU: CPU is busy · instance=unrelated-host:9100 · resolved after '),
  );
  expect((await post(path, alertmanager('resolved', startsAt))).body).toMatchObject({ resolved: 1, known: 1 });
  await bot.until(() => bot.transcript().includes('✅ Resolved: 2 alerts'));
  expect(bot.alerts()).toHaveLength(1);
  expect(bot.alerts()[0]?.view.summary).toMatch(/^✅ Resolved: 2 alerts · alertname=HighCPU, after \d/);
  expect(await bot.store.alerts.countOpen(ops)).toBe(0);

  // Prometheus was offline for a while and is back: Alertmanager fires again, with the old start.
  expect((await post(path, alertmanager('firing', startsAt))).body).toEqual({ raised: 2, resolved: 0, known: 0 });
  await bot.until(() => /^(🔴|🟡|⚪)/.test(String(bot.alerts()[0]?.view.summary)));
  await bot.delivered();
  expect(bot.alerts().filter((message) => message.threadTs === null)).toHaveLength(1);
  expect(await bot.store.alerts.countOpen(ops)).toBe(2);
  expect(bot.log).toEqual([]);
});

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

test('a post with a wrong address or a malformed body gets 401 or 400, and nothing of it is stored', async () => {
  const bot = await openWatch({});
  const { post } = await openHooks(bot);
  const path = await makeHook(bot, 'alertmanager', 'prometheus');
  const body = alertmanager('firing', now());
  expect((await post('/hooks/alertmanager/nonsense', body)).status).toBe(401);
  expect((await post(path.slice(0, -1), body)).status).toBe(401);
  expect((await post(path.replace('alertmanager', 'grafana'), body)).status).toBe(401);
  expect((await post(path.replace('alertmanager', 'toString'), body)).status).toBe(401);
  expect((await post('/hooks/', body)).status).toBe(401);
  expect((await post(`${path}/more`, body)).status).toBe(404);
  const malformed = [
    '',
    '{',
    '[]',
    '"x"',
    'null',
    '{"status":"firing"}',
    '{"status":"firing","alerts":[{}]}',
    '\xff\xfe',
  ];
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

  // Revoked: refused from then on.
  const id = /hooks\/alertmanager\/([a-z2-9]{8})/.exec(path)?.[1] ?? '';
  await confirmed(bot, `alerts hook revoke ${id}`, 'admin');
  expect((await post(path, body)).status).toBe(401);
  const rows = await bot.database.run('select * from hooks');
  const secret = path.split('.').at(-1) ?? '';
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(JSON.stringify(await bot.store.audit.list({ limit: 100 }))).not.toContain(secret);
  expect(bot.transcript()).not.toContain(secret);
});

test('a post is refused and logged when the database is offline or the bot has a bug, and accepted when it is repeated', async () => {
  const { bot, post } = await openHooked('json');
  const { alerts } = bot.store;
  const { insertAll } = alerts;
  const body = JSON.stringify({ id: 'backup', title: 'The backup is missing' });
  for (const [error, status, why] of [
    [new StoreUnavailable('no answer from hostler.db'), 503, 'the database does not respond right now'],
    [new Error('a bug'), 500, 'something is wrong with the bot; details are in the log'],
  ] as const) {
    alerts.insertAll = () => Promise.reject(error);
    expect(await post(body)).toMatchObject({ status, body: { detail: `Not accepted: ${why}. Post it again.` } });
    expect(bot.log.splice(0)).toEqual([`http ${error}`]);
  }
  alerts.insertAll = insertAll;
  expect((await post(body)).body).toMatchObject({ raised: 1 });
});

test('only an admin can make hooks', async () => {
  const bot = await requested('alerts hook add json mine', { config: { publicUrl: 'http://hostler' } });
  await bot.say('operator', 'alerts hook');
  expect(tidy(bot.transcript())).toMatchInlineSnapshot(`
    "(only @operator) You may not use /host alerts hook add here: only an admin (HOSTLER_ADMINS) may do this. /host why alerts hook add explains it.
    [Show who may do what]
    (only @operator) You may not use /host alerts hook here: only an admin (HOSTLER_ADMINS) may do this. /host why alerts hook explains it.
    [Show who may do what]"
  `);
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
  await bot.later(25 * hour);
  expect(bot.alerts()[0]?.view.summary, 'news stays as it was').toBe('web-1 is new');
  expect((await bot.store.alerts.listOpen({ channel: ops, limit: 5 })).length).toBe(0);
});
