import { expect, onTestFinished, test } from 'vitest';
import { patientSlack, startSystem } from '../support/test-system.ts';

test('a card that was posted twice is one card after a click on the first, which becomes a link to the second', async () => {
  const system = await startSystem({ slack: patientSlack });
  onTestFinished(system.close);
  const ops = await system.channel('twice');
  const { sim } = system.slack;
  const showing = (words: string) =>
    sim.messages(ops).filter((message) => sim.plainText(message).includes(words)).length;
  // Slack accepts the first post, and its answer is lost: the bot posts the card again.
  sim.fault({ method: 'chat.postMessage', isAnswerLost: true, count: 1 });
  await sim.say('operator', ops, '/host restart ci-1');
  await sim.waitFor(() => showing('[Cancel]') === 2);
  await sim.click('operator', { channel: ops, isMain: true });
  await sim.waitFor(() => showing('done in') === 1);
  expect(showing('[Cancel]')).toBe(1);

  await sim.click('operator', { channel: ops, isMain: true });
  await sim.waitFor(() => showing('This card was posted twice. The other one') === 1);
  expect(showing('[Cancel]')).toBe(0);
  await system.settle();
  expect(system.writes()).toEqual(['POST /vps/34-12371/restart/']);
});
