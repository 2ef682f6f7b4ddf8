import { describe, expect, it } from 'vitest';
import { confirmCard, connected, eventually, says } from './support.ts';

describe.each(['socket', 'http'] as const)('requests over %s', (mode) => {
  it('a signed payload that somebody sends again does nothing more', async () => {
    const { slack, engine } = await connected({ mode });
    slack.sim.deliveryFaults({ isDuplicating: true });
    const outcome = await slack.sim.say('operator', '#ops', '/host restart web-1');
    await slack.sim.waitFor(
      () => outcome.attempts.length === 2 && outcome.attempts.every((attempt) => attempt.ackedMs !== null),
    );
    expect(await slack.sim.replay(outcome.payloadId ?? '')).toMatchObject({ ok: true });
    expect(outcome.duplicates).toBe(2);
    expect(new Set(engine.received.map(({ id }) => id)).size).toBe(1);
    expect([engine.received, engine.handled].map(({ length }) => length)).toEqual([3, 1]);
  });

  it('a direct message is a line, with or without /host at its beginning; messages of bots and edits are not', async () => {
    const { slack, engine, side } = await connected({ mode });
    await slack.sim.say('lead', 'dm', 'host list');
    await engine.handledCount(1);
    await side.messenger.postEphemeral({ channel: '', kind: 'home' }, 'U0LEAD0001', says('from the bot'));
    await slack.sim.say('lead', 'dm', 'list tag:web');
    await engine.handledCount(2);
    expect(engine.handled.map((request) => request.ask)).toEqual([
      { kind: 'line', line: 'list' },
      { kind: 'line', line: 'list tag:web' },
    ]);
    expect(engine.handled[0]?.place.kind).toBe('dm');
  });

  it('a direct message that mentions the bot runs once, though Slack sends it twice', async () => {
    const { slack, engine } = await connected({ mode });
    await slack.sim.say('lead', 'dm', '@hostler restart web-1');
    const sent = () => slack.sim.outcomes().filter(({ ackedMs }) => ackedMs !== null);
    await eventually(() => sent().length === 2);
    expect(sent().map(({ name }) => name)).toEqual(['message.im', 'app_mention']);
    await engine.handledCount(1);
    expect(engine.received.map(({ ask }) => ask)).toEqual([{ kind: 'line', line: 'restart web-1' }]);
  });

  it('a button, and an option of a menu, send their intents back, from their channel', async () => {
    const { slack, engine, outbox } = await connected({ mode });
    const snooze = (hours: number) =>
      ({ do: 'alert', alert: `balance:${'x'.repeat(150)}`, act: 'snooze', forMs: hours * 3_600_000 }) as const;
    const options = [1, 4].map((hours) => ({ label: `${hours} h`, intent: snooze(hours) }));
    const menu = { kind: 'menu', label: 'Snooze', options } as const;
    outbox.put('card', 'C0OPS00001', { ...confirmCard, parts: [...confirmCard.parts, menu] });
    await slack.sim.waitFor('Confirm', { channel: '#ops' });
    await slack.sim.click('operator', { channel: '#ops', label: 'Confirm' });
    await engine.handledCount(1);
    expect(engine.handled[0]).toMatchObject({
      actor: 'U0OPERAT01',
      place: { channel: 'C0OPS00001', kind: 'channel', message: outbox.row('card')?.ts },
      ask: { kind: 'intent', intent: { do: 'vote', operation: 'a7f3c2', vote: 'confirm' } },
    });
    await slack.sim.select('operator', { channel: '#ops', label: 'Snooze', value: '4 h' });
    await engine.handledCount(2);
    expect(engine.handled[1]?.ask).toEqual({ kind: 'intent', intent: snooze(4) });
  });

  it('the results of a search over everything depend on its place, and the chosen result opens a modal at once', async () => {
    const asked: unknown[] = [];
    const view = { summary: 'The menu', parts: [{ kind: 'find', label: 'Find anything' } as const] };
    const { slack, outbox, engine } = await connected({
      mode,
      engine: () => ({
        home: async () => view,
        form: async ({ ask }) => ({ view: says(`opened ${JSON.stringify(ask)}`) }),
        suggest: async ({ text, everythingAt }) => {
          asked.push([text, everythingAt]);
          return [
            { value: 'status 34-12345', label: 'web-1' },
            { value: '!e866wb5b', label: 'Restart web-1' },
          ];
        },
      }),
    });
    outbox.put('menu', 'C0OPS00001', view);
    await slack.sim.waitFor('Find anything', { channel: '#ops' });
    const inOps = { channel: '#ops', label: 'Find anything' };
    const found = await slack.sim.suggest('operator', { ...inOps, value: 'web' });
    expect(found.options).toMatchObject([{ text: { text: 'web-1' } }, { text: { text: 'Restart web-1' } }]);
    await slack.sim.select('operator', { ...inOps, value: 'web-1' });
    await slack.sim.waitFor((sim) => sim.viewText('operator').includes('opened') || undefined);
    expect(engine.received.at(-1)).toMatchObject({
      place: { channel: 'C0OPS00001', kind: 'channel' },
      ask: { kind: 'intent', intent: { do: 'open', line: 'status 34-12345' } },
    });
    await slack.sim.openHome('lead');
    await slack.sim.waitFor((sim) => sim.homeText('lead').includes('Find anything') || undefined);
    await slack.sim.select('lead', { home: true, label: 'Find anything', value: 'Restart web-1' });
    await eventually(() => engine.received.at(-1)?.actor === 'U0LEAD0001');
    expect(engine.received.at(-1)).toMatchObject({
      place: { channel: '', kind: 'home' },
      ask: { kind: 'intent', intent: { do: 'review', operation: 'e866wb5b' } },
    });
    expect(asked).toContainEqual(['web', { channel: 'C0OPS00001', kind: 'channel' }]);
    expect(asked).toContainEqual([expect.any(String), { channel: '', kind: 'home' }]);
  });

  it('the engine learns who added the bot to a channel, and is not notified of people who are added', async () => {
    const { slack, engine } = await connected({ mode });
    await slack.sim.kick('#dev', 'hostler');
    await slack.sim.say('operator', '#dev', '/invite @Hostler');
    await slack.sim.waitFor(() => engine.invitations.length > 0);
    expect(engine.invitations).toEqual([
      { channel: 'C0DEV00001', by: 'U0OPERAT01', event: expect.stringMatching(/^Ev/) },
    ]);
    await slack.sim.invite('#dev', 'guest');
    expect(engine.invitations).toHaveLength(1);
    expect(engine.changes.map(({ change }) => change)).toEqual(['bot_left', 'bot_joined']);
    // Deliveries of one invitation share the id of their event.
    await slack.sim.kick('#dev', 'hostler');
    slack.sim.deliveryFaults({ isDuplicating: true });
    await slack.sim.say('operator', '#dev', '/invite @Hostler');
    await slack.sim.waitFor(() => engine.invitations.length === 3);
    expect(new Set(engine.invitations.map(({ event }) => event)).size).toBe(2);
  });
});

describe('the age of a click', () => {
  const hours = 3_600_000;

  it.each([
    [0, 0, 0],
    [2, 0, 0],
    [-2, 0, 0],
    [0, 2, 2],
    [-2, 2, 2],
  ])('with a clock that is %d h wrong, for a click read %d h after the press, is %d h', async (wrong, after, late) => {
    let isAfter = false;
    const now = () => Date.now() + (wrong + (isAfter ? after : 0)) * hours;
    const { slack, engine, outbox } = await connected({ now });
    outbox.put('card', 'C0OPS00001', confirmCard);
    await eventually(() => outbox.row('card')?.ts != null);
    isAfter = true;
    await slack.sim.click('operator', { channel: '#ops', label: 'Confirm' });
    await engine.handledCount(1);
    const [{ at = 0, saidAt = at } = {}] = engine.handled;
    expect(Math.round((at - saidAt) / hours)).toBe(late);
  });
});
