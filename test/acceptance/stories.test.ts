import { afterAll, beforeAll, describe, test } from 'vitest';
import { policySchema } from '../../src/core/policy.ts';
import { openStage, opsGroup, type Stage, storyOf } from '../support/stage.ts';

// What test/engine tells in one process, told again by the bot as it runs: over its sockets and over signed HTTP, through
// Slack's and the provider's protocols. Both ways read the same.

describe.each(['socket', 'http'] as const)('over %s', (mode) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = await openStage({ mode });
  });
  afterAll(() => stage.close());

  const modalOf = (who: string, words: string | RegExp) =>
    stage.slack.sim.waitFor((sim) => {
      const text = sim.viewText(who);
      return (typeof words === 'string' ? text.includes(words) : words.test(text)) && text;
    });

  test.concurrent('a restart is confirmed, run, verified and told in the thread', async ({ expect }) => {
    const ops = await stage.channel('restart');
    const { sim } = stage.slack;
    expect((await sim.say('operator', ops, '/host restart web-1')).error).toBeNull();
    await sim.waitFor('[Confirm]', { channel: ops });
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@hostler: Restart web-1 · waiting for confirmation
        web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
        Effect  the server shuts down and starts again; expect one to three minutes away
        Depends  3 DNS records point here: example.com A, www.example.com A and api.example.com A
        Paid  until ‹date› (‹n› days)
        Asked by @operator · rule: disruptive → confirm · expires ‹date› · ‹id›
        [Confirm] [Cancel]"
    `);
    expect((await sim.click('operator', { channel: ops, label: 'Confirm' })).error).toBeNull();
    await sim.waitFor('done in', { channel: ops });
    await stage.settle();
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@hostler: Restart web-1 · done in ‹time›
        web-1 · 34-12345 · 192.0.2.10 · Cloud NVMe 2 · ● on
        ✔ web-1 restarted · power status: on.
        Asked and confirmed by @operator · job ‹n› · ‹id›
          @hostler: @operator web-1 restarted · power status: on."
    `);
  });

  test.concurrent('refused: no policy, no grant, no such right', async ({ expect }) => {
    const bare = await stage.channel('bare', null);
    const ops = await stage.channel('refused');
    const { sim } = stage.slack;
    await sim.say('operator', bare, '/host restart web-1');
    await sim.waitFor('You may not', { channel: bare });
    await sim.say('reader', ops, '/host restart web-1');
    await sim.waitFor('You may not', { channel: ops });
    expect(`${storyOf(stage, bare)}\n${storyOf(stage, ops)}`).toMatchInlineSnapshot(`
      "(only visible to @operator) @hostler: You may not restart web-1 here: this channel has no policy, and without one nothing is allowed; an admin makes one with /host access. See \`/host why restart web-1\`.
      (only visible to @reader) @hostler: You may not restart web-1 here: this needs operate; you hold: read. See \`/host why restart web-1\`."
    `);
  });

  test.concurrent('a typing error: did you mean, and Run it', async ({ expect }) => {
    const ops = await stage.channel('typo');
    const { sim } = stage.slack;
    await sim.say('operator', ops, '/host restrt web-2');
    await sim.waitFor('Run it', { channel: ops });
    await sim.click('operator', { channel: ops, label: 'Run it' });
    await sim.waitFor('[Confirm]', { channel: ops });
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "(only visible to @operator) @hostler: I don't know \`restrt\`. Did you mean \`/host restart web-2\`?
        [Run it]
      @hostler: Restart web-2 · waiting for confirmation
        web-2 · 34-12399 · 192.0.2.11 · Cloud NVMe 2 · ● on
        Effect  the server shuts down and starts again; expect one to three minutes away
        Depends  2 DNS records point here: app.example.com A and shop.example.com A
        Paid  until ‹date› (‹n› days)
        Asked by @operator · rule: disruptive → confirm · expires ‹date› · ‹id›
        [Confirm] [Cancel]"
    `);
  });

  test.concurrent('withdrawn by who asked', async ({ expect }) => {
    const ops = await stage.channel('withdraw');
    const { sim } = stage.slack;
    await sim.say('operator', ops, '/host stop db-2');
    await sim.waitFor('[Cancel]', { channel: ops });
    await sim.click('operator', { channel: ops, label: 'Cancel' });
    await sim.waitFor('withdrawn', { channel: ops });
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@hostler: Stop db-2 · withdrawn
        db-2 · 34-12411 · 198.51.100.20 · Custom · ● on
        ⓘ withdrawn. Nothing was done.
        Asked by @operator · ‹id›"
    `);
  });

  test.concurrent('by direct message, by a mention in a thread', async ({ expect }) => {
    const ops = await stage.channel('thread');
    const { sim } = stage.slack;
    await sim.say('reader', 'dm', 'version');
    await sim.waitFor((s) => s.transcript('dm', 'reader').includes('@hostler:'));
    const { ts } = await sim.say('operator', ops, 'vpn-1 is slow today');
    await sim.say('operator', ops, '@hostler restart vpn-1', { thread_ts: ts ?? '' });
    await sim.waitFor('[Confirm]', { channel: ops });
    await sim.click('operator', { channel: ops, label: 'Confirm' });
    await sim.waitFor('done in', { channel: ops });
    await stage.settle();
    expect(sim.transcript('dm', 'reader')).toMatch(/^@reader: version\n@hostler: Hostler \d/);
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@operator: vpn-1 is slow today
          @operator: @hostler restart vpn-1
          @hostler: Restart vpn-1 · done in ‹time›
            vpn-1 · 34-12380 · 203.0.113.129 · Cloud NVMe 1 · ● on
            ✔ vpn-1 restarted · power status: on.
            Asked and confirmed by @operator · job ‹n› · ‹id›
          @hostler: @operator vpn-1 restarted · power status: on."
    `);
  });

  test.concurrent('Home shows what waits, and votes from there', async ({ expect }) => {
    const policy = policySchema.parse({
      grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
      rules: { disruptive: { approve: 1, by: [`group:${opsGroup}`] } },
    });
    const ops = await stage.channel('home', policy);
    const { sim } = stage.slack;
    await sim.say('operator', ops, '/host restart monitor-1');
    await sim.waitFor('[Approve]', { channel: ops });
    await sim.openHome('lead');
    await sim.waitFor((s) => s.homeText('lead').includes('Restart monitor-1'));
    await sim.click('lead', { home: true, label: 'Approve' });
    await sim.waitFor('done in', { channel: ops });
    await stage.settle();
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@hostler: Restart monitor-1 · done in ‹time›
        monitor-1 · 34-12372 · 203.0.113.40 · Cloud NVMe 1 · ● on
        ✔ monitor-1 restarted · power status: on.
        Asked by @operator · 1 of 1 · approved by @lead · job ‹n› · ‹id›
          @hostler: @operator monitor-1 restarted · power status: on."
    `);
  });

  test.concurrent('the same payload again does nothing, and is still acknowledged', async ({ expect }) => {
    const ops = await stage.channel('replay');
    const { sim } = stage.slack;
    const asked = await sim.say('operator', ops, '/host restart mail-1');
    await sim.waitFor('[Confirm]', { channel: ops });
    const clicked = await sim.click('operator', { channel: ops, label: 'Confirm' });
    for (const { payloadId } of [asked, clicked, asked, clicked]) {
      expect(await sim.replay(payloadId ?? '')).toMatchObject({ ok: true });
    }
    await sim.waitFor('done in', { channel: ops });
    await stage.settle();
    for (const { payloadId } of [asked, clicked]) expect(await sim.replay(payloadId ?? '')).toMatchObject({ ok: true });
    expect(stage.writes().filter((write) => write.includes('34-12360'))).toEqual(['POST /vps/34-12360/restart/']);
    expect(sim.messages(ops)).toHaveLength(2);
  });

  // One after the other: a person has one modal open at a time.

  test('a missing argument opens the form; a wrong one is said at its field', async ({ expect }) => {
    const ops = await stage.channel('form');
    const { sim } = stage.slack;
    await sim.say('operator', ops, '/host dns add example.com');
    await modalOf('operator', /\[Cancel\] \[/);
    await sim.fill('operator', { Host: 'status', Type: 'A', Value: '300.1.2.3' });
    await sim.submit('operator');
    expect(await modalOf('operator', '  ! ')).toMatchInlineSnapshot(`
      "== Dns add ==
      Add a record to a domain
      Domain: [example.com ▾]
        one of the account
      Host: [status]
        www, @ for the domain itself, * for all other names
      Type: [A ▾]
        A, AAAA, CNAME, MX, TXT, SRV, CAA, NS
      Value: [300.1.2.3]
        the address, name or text; for MX and SRV it may begin with the prio
        ! \`300.1.2.3\` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.
      TTL (optional): [Choose ▾]
        how long answers are cached: 300, 5m, 1h
      Prio (optional): []
        MX and SRV only: the lowest is asked first
      [Cancel] [Go on]"
    `);
    await sim.fill('operator', { Value: '192.0.2.77' });
    expect((await sim.submit('operator')).error).toBeNull();
    await sim.waitFor('[Confirm]', { channel: ops });
    await sim.click('operator', { channel: ops, label: 'Confirm' });
    await sim.waitFor('done in', { channel: ops });
    await stage.settle();
    expect(sim.view('operator')).toBeUndefined();
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@hostler: Add 1 record to example.com · done in ‹time›
        example.com · 18 records · tags prod
        \`\`\`
        + status  A  192.0.2.77  ttl 3600
        \`\`\`
        ✔ status.example.com A 192.0.2.77 added · read back from the zone.
        Asked and confirmed by @operator · ‹id›
        [Undo]
          @hostler: @operator status.example.com A 192.0.2.77 added · read back from the zone."
    `);
  });

  test('approved by somebody else, who types the name', async ({ expect }) => {
    const ops = await stage.channel('approve');
    const { sim } = stage.slack;
    await sim.say('operator', ops, '/host cancel ci-1');
    await sim.waitFor('[Approve]', { channel: ops });
    await sim.click('lead', { channel: ops, label: 'Approve' });
    await modalOf('lead', 'Type ci-1 to approve');
    await sim.fill('lead', { 'Type ci-1 to approve': 'ci-2' });
    await sim.submit('lead');
    expect(await modalOf('lead', '  ! ')).toMatchInlineSnapshot(`
      "== Approve ==
      Cancel ci-1
      it is not renewed; when its paid period ends it is cancelled, and what is on it is deleted
      Type ci-1 to approve: [ci-2]
        ! That is not the name. Type ci-1 exactly.
      [Cancel] [Approve]"
    `);
    await sim.fill('lead', { 'Type ci-1 to approve': 'ci-1' });
    expect((await sim.submit('lead')).error).toBeNull();
    await sim.waitFor('done in', { channel: ops });
    await stage.settle();
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@hostler: Cancel ci-1 · done in ‹time›
        ci-1 · 34-12371 · 198.51.100.40 · Cloud NVMe 1 · ● active
        ✔ ci-1 marked to be cancelled when its paid period ends (2026-11-29) · cancel mark: set.
        Asked by @operator · 1 of 1 · approved by @lead · Order will be canceled after expiration. · ‹id›
        [Undo]
          @hostler: @operator ci-1 marked to be cancelled when its paid period ends (2026-11-29) · cancel mark: set."
    `);
  });

  test('declined, with the reason', async ({ expect }) => {
    const policy = policySchema.parse({
      grants: [{ to: ['everyone'], can: ['read', 'operate'] }],
      rules: { disruptive: { approve: 1, by: [`group:${opsGroup}`] } },
    });
    const ops = await stage.channel('decline', policy);
    const { sim } = stage.slack;
    await sim.say('operator', ops, '/host stop web-3');
    await sim.waitFor('Decline', { channel: ops });
    await sim.click('lead', { channel: ops, label: 'Decline…' });
    await modalOf('lead', 'Why not?');
    await sim.fill('lead', { 'Why not?': 'the release is running' });
    expect((await sim.submit('lead')).error).toBeNull();
    await sim.waitFor('declined', { channel: ops });
    await stage.settle();
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@hostler: Stop web-3 · declined
        web-3 · 34-12407 · 198.51.100.10 · Cloud NVMe 2 · ● on
        ⓘ declined by @lead: the release is running. Nothing was done.
        Asked by @operator · 0 of 1 · ‹id›
          @hostler: @operator declined by @lead: the release is running. Nothing was done."
    `);
  });

  test('a new password is shown once, to the person who asked', async ({ expect }) => {
    const ops = await stage.channel('password');
    const { sim } = stage.slack;
    await sim.say('operator', ops, '/host password db-1');
    await sim.waitFor('[Approve]', { channel: ops });
    await sim.click('lead', { channel: ops, label: 'Approve' });
    await stage.until(() => sim.transcript('dm', 'operator').includes('Reveal once'), 'the password');
    await sim.click('operator', { channel: 'dm', label: 'Reveal once' });
    await modalOf('operator', 'Shown once');
    await stage.settle();
    const password = /```\n(\S+)\n```/.exec(sim.viewText('operator'))?.[1] ?? 'none was shown';
    expect(password).toMatch(/^\w{14}$/);
    await sim.closeView('operator');
    await sim.click('operator', { channel: 'dm', label: 'Reveal once' });
    expect(await modalOf('operator', 'gone')).not.toContain(password);
    await sim.closeView('operator');
    expect(storyOf(stage, ops)).toMatchInlineSnapshot(`
      "@hostler: Reset the root password of db-1 · done in ‹time›
        db-1 · 34-12346 · 192.0.2.20 · Cloud NVMe 4 · ● on
        ✔ root password of db-1 replaced · job ‹n›: done.
        Asked by @operator · 1 of 1 · approved by @lead · job ‹n› · ‹id›
          @hostler: @operator root password of db-1 replaced · job ‹n›: done."
    `);
    expect(storyOf(stage, 'dm', 'operator')).toMatchInlineSnapshot(`
      "@hostler: The new root password of db-1 is ready. It can be shown once, until ‹date›
        [Reveal once]"
    `);
    expect(JSON.stringify(sim.state().messages)).not.toContain(password);
  });

  test('"Act on this" finds the servers that a message is about', async ({ expect }) => {
    const ops = await stage.channel('about');
    const { sim } = stage.slack;
    const { ts } = await sim.say('reader', ops, 'ALERT disk almost full on 192.0.2.30 (cache-1)');
    await sim.messageShortcut('operator', 'hostler_about', { channel: ops, ts: ts ?? '' });
    await modalOf('operator', 'cache-1');
    expect(sim.viewText('operator')).toMatchInlineSnapshot(`
      "== Hostler ==
      cache-1 · 34-12352 · 192.0.2.30
      [Status] [Restart]
      [Close]"
    `);
    await sim.click('operator', { label: 'Restart' });
    await sim.waitFor('[Confirm]', { channel: ops });
    expect(sim.transcript(ops)).toContain('Restart cache-1 · waiting for confirmation');
  });
});
