import { expect, onTestFinished, test } from 'vitest';
import { startBotIn } from '../../../sandbox/cli/sandbox.ts';
import type { Drill } from '../../../sandbox/page-server/drill.ts';
import type { DrillName } from '../../../sandbox/page-server/situations.ts';
import { act, entriesFor, listen, nextWith, open } from './open.ts';

type Shown = ReturnType<Drill['shown']>;
type Run = NonNullable<Shown['run']>;

const web1 = '34-12345';
const ops = { channel: '#ops' };

/** The sandbox with its drills; `withBot` starts the real bot in it. */
async function stage({ withBot = false } = {}) {
  const sandbox = await open();
  const { url, slack, provider } = sandbox;
  provider.sim.jobs({ ms: 300 });
  if (withBot) {
    const stop = await startBotIn(sandbox);
    onTestFinished(stop);
  }
  const press = (as: string, label?: string) =>
    slack.sim.click(as, { ...ops, ...(label === undefined ? { isMain: true } : { label }) });
  return {
    ...sandbox,
    press,
    start: (name: DrillName, as = 'operator') => act(url, 'startDrill', as, { name }),
    shown: async () => (await entriesFor(url, 'operator')).get('drill') as Shown,
    /** The drill, when its state has these words. */
    async until(words: string): Promise<Run> {
      const { set } = await nextWith(await listen(url, 'operator'), words);
      return (new Map(set).get('drill') as Shown).run as Run;
    },
    /** Types a line, waits for its card and presses its button. */
    async confirm(as: string, line: string, title: string) {
      await slack.sim.say(as, '#ops', `/host ${line}`);
      await slack.sim.waitFor(`⏳ ${title}`, ops);
      await press(as);
    },
  };
}

const over = '"isOver":true';
/** The lines, without the time that a job took on this machine. */
const texts = ({ lines }: Run) => lines.map(({ who, text }) => `${who} ${text.replace(/ in \d+ s/, '')}`.trim());

test('a server hangs at boot: a person notices it, restarts it, and it is over when the server answers', async () => {
  const { start, until, confirm, provider, shown } = await stage({ withBot: true });
  await Promise.all([start('boot'), start('boot')]);
  expect(await shown()).toMatchObject({ run: { target: 'web-1', brief: expect.stringContaining('web-1') } });
  await confirm('operator', 'restart web-1', 'Restart web-1');
  await provider.sim.waitForRequest(({ route }) => route === 'POST /vps/{order_id}/restart/');
  const run = await until(over);
  expect(run.noticed).toMatchObject({ who: '@operator', text: 'typed /host restart web-1' });
  expect(texts(run)).toEqual([
    '@operator typed /host restart web-1',
    'Hostler in #ops: ⏳ Restart web-1',
    '@operator pressed “Restart web-1”',
    'Hostler in #ops: web-1 restarted; the power is on.',
  ]);
  expect(run.end).toMatchObject({ isOver: true, text: 'web-1 answered again' });
  // The boot takes three seconds, which the end does not round to the next look at the server.
  const { vps } = provider.sim.state().orders.find(({ id }) => id === web1) ?? {};
  expect((run.sinceMs ?? 0) + (run.end?.ms ?? 0)).toBe((vps?.powerChangedAt ?? 0) + 3_000);
  expect(run.lines.map(({ ms }) => ms)).toEqual(run.lines.map(({ ms }) => ms).toSorted((a, b) => a - b));
});

test('a record that was changed by hand is reported by the alert, and the button of the alert puts it back', async () => {
  const { start, until, confirm, press, slack, provider } = await stage({ withBot: true });
  await confirm('operator', 'alerts on zone', 'Turn on alerts: zone');
  await slack.sim.waitFor('✅ Turn on alerts: zone', ops);
  await start('zone');
  provider.sim.advance(3_600_000);
  await slack.sim.waitFor('example.com was changed by hand', ops);
  await press('operator', 'Put back');
  await slack.sim.waitFor('⏳ Put back the records', ops);
  await press('operator');
  const run = await until(over);
  expect(run.noticed).toMatchObject({
    who: 'Hostler',
    text: expect.stringContaining('example.com was changed by hand'),
  });
  expect(run.noticed?.ms).toBeGreaterThanOrEqual(3_600_000);
  expect(texts(run)).toEqual(expect.arrayContaining(['The clock was moved forward', '@operator pressed “Put back”']));
  expect(run.end?.text).toBe('www.example.com pointed to 192.0.2.10 again');
});

test.each([
  ['is paid when somebody tops up', 'The balance paid for web-1, which costs'],
  ['goes off unpaid when the night passes', 'web-1 went off unpaid'],
])('a payment that is due tonight %s', async (_, text) => {
  const { start, until, url, provider } = await stage();
  await start('payment');
  const { account, orders } = provider.sim.state();
  expect(account.balance).toBeLessThan(orders.find(({ id }) => id === web1)?.costMonth ?? 0);
  if (text.includes('unpaid')) provider.sim.advance(86_400_000);
  else await act(url, 'balance', 'lead', { balance: 400 });
  const run = await until(over);
  expect(run.end?.text).toContain(text);
  expect(run.noticed).toBeUndefined();
  expect(texts(run)).toEqual(text.includes('unpaid') ? [] : ['@lead set the balance by hand at the provider']);
  // The order went off in the middle of the night that passed at once.
  if (text.includes('unpaid')) expect(Math.round((run.end?.ms ?? 0) / 60_000)).toBe(6 * 60);
});

test('a slow provider is slow until the end of a restart is read, and not only there', async () => {
  const { start, until, provider, shown } = await stage();
  const { sim, url, key } = provider;
  const call = async (method: string, path: string) => {
    // The wait is the provider's own, and of no use here.
    sim.clearFaults();
    const answer = await fetch(`${url}${path}`, { method, headers: { authorization: `Api-Key ${key}` } });
    return (await answer.json()) as { pk: number };
  };
  sim.jobs({ ms: 60_000 });
  await start('slow');
  expect(sim.state().faults).toMatchObject([{ kind: 'delay' }]);
  const { pk } = await call('POST', `/vps/${web1}/restart/`);
  await call('GET', `/vps/${web1}/log_details/${pk}/`);
  sim.advance(60_000);
  expect((await shown()).run?.end).toBeUndefined();
  await call('GET', `/vps/${web1}/log_details/${pk}/`);
  expect((await until(over)).end?.text).toBe('Hostler knew the end of a restart of web-1');
});

test('an approver is asleep: another one decides, and the card says how the request ended', async () => {
  const { start, until, press } = await stage({ withBot: true });
  await start('asleep');
  expect((await until('"brief"')).brief).toContain('@operator asks to hard reset web-1, and @lead');
  await press('admin');
  const run = await until(over);
  expect(texts(run)[0]).toBe('@admin pressed “Approve hard reset of web-1”');
  expect(run.noticed?.who).toBe('@admin');
  expect(run.end?.text).toBe('The request ended as done');
});

test('somebody leaves: it is over when that name has no right, no token and no request', async () => {
  const { start, until, confirm, press, url, slack, shown } = await stage({ withBot: true });
  await start('leaves');
  expect((await until('"brief"')).brief).toContain('Lena Lead (@lead) has left');
  expect(slack.sim.state().people.find(({ name }) => name === 'lead')?.isDeactivated).toBe(true);
  await slack.sim.waitFor('[Call off', ops);
  await press('admin', 'Call off');
  await confirm('admin', 'token revoke lead-job', 'Revoke the token lead-job');
  await slack.sim.waitFor('✅ Revoke the token lead-job', ops);
  expect((await shown()).run?.end).toBeUndefined();
  await confirm('admin', 'access revoke 3', 'Remove access here');
  expect((await until(over)).end?.text).toBe('@lead held nothing');
  await act(url, 'closeDrill', 'operator', {});
  expect((await shown()).run).toBeUndefined();
});

test('a drill ended by hand says what was not over, and starting over ends one without a card', async () => {
  const { start, url, shown, provider } = await stage();
  await start('zone');
  expect(await start('boot')).toMatchObject({ status: 409, body: expect.stringContaining('End it first.') });
  await act(url, 'closeDrill', 'operator', {});
  await act(url, 'endDrill', 'operator', {});
  await act(url, 'endDrill', 'operator', {});
  expect((await shown()).run?.end).toMatchObject({
    isOver: false,
    text: 'www.example.com did not point to 192.0.2.10 again',
  });
  await start('slow');
  expect((await shown()).run).toMatchObject({ name: 'slow', lines: [] });
  await fetch(`${url}/start-over`, { method: 'POST', headers: { origin: url } });
  expect((await shown()).run).toBeUndefined();
  expect(provider.sim.state().faults).toEqual([]);
});

test('an account or a workspace without what a situation needs is refused with a sentence, and no drill runs', async () => {
  const { start, shown, provider } = await stage();
  for (const { id, vps } of provider.sim.state().orders) if (vps) provider.sim.power({ order: id, state: 'off' });
  for (const { name, entries } of provider.sim.state().domains)
    provider.sim.records({ domain: name, remove: entries.map(({ id }) => id) });
  for (const { id } of provider.sim.state().orders) provider.sim.order({ order: id, autorenew: false });
  const answers = [];
  for (const name of ['boot', 'zone', 'payment', 'slow', 'asleep', 'leaves'] as const)
    answers.push((JSON.parse((await start(name)).body) as { error: string }).error);
  expect(answers).toMatchInlineSnapshot(`
    [
      "No virtual server of this account is on and answers, so none can hang.",
      "No zone of this account has an A record that could be changed by hand.",
      "No order of this account renews by itself for at most 400 EUR.",
      "No virtual server of this account is on and answers, so none can be restarted.",
      "Hostler is not connected, and this drill asks it for something.",
      "Hostler is not connected, and this drill asks it for something.",
    ]
  `);
  expect((await shown()).run).toBeUndefined();
});
