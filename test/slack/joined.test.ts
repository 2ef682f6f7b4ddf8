import { describe, expect, it } from 'vitest';
import { connected } from './support.ts';

describe.each(['socket', 'http'] as const)('being added to a channel over %s', (mode) => {
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
  });

  it('repeated deliveries of an invitation have the same event id', async () => {
    const { slack, engine } = await connected({ mode });
    await slack.sim.kick('#dev', 'hostler');
    slack.sim.deliveryFaults({ isDuplicating: true });
    await slack.sim.say('operator', '#dev', '/invite @Hostler');
    await slack.sim.waitFor(() => engine.invitations.length === 2);
    expect(new Set(engine.invitations.map(({ event }) => event)).size).toBe(1);
  });
});
