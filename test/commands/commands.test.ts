import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/all.ts';
import { openDns } from './dns/open.ts';
import { twice } from './twice.ts';

// Requested twice, done once: the second request has no effect, or is refused in a sentence that says why. A command
// that people may want again and again, or whose effect cannot be read, asks again first; the table says why.

const commands = await loadCommands();
/** Reads a secret, and sends no write to the provider. */
const sendsNothing = ['s3 secret'];
/** Writes only where the zone has a past, which the tests of the history of zones give it. */
const needsPast = ['dns restore'];
const writing = commands.filter(
  ({ kind, area, path }) =>
    kind === 'action' && area !== 'The bot' && area !== 'Alerts' && ![...sendsNothing, ...needsPast].includes(path),
);

test('the table has every command that writes to the provider', () => {
  expect(Object.keys(twice).toSorted()).toEqual(writing.map(({ path }) => path).toSorted());
});

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);

test.each(Object.entries(twice))(
  'a second run of %s does what the table says',
  async (path, { before, line, again }) => {
    const dns = await openDns({
      commands,
      uploads: { 'project logo': 'F0LOGO' },
      file: async () => ({ name: 'logo.png', type: 'image/png', bytes: png }),
    });
    if (before !== undefined) await dns.done(before);
    const first = await dns.done(line, 'b8g4d3');
    // A command whose target cannot be read ends there.
    expect(first.end).toBe(['dns nameservers', 'reinstall'].includes(path) ? 'unverified' : 'done');
    const sent = dns.writes().length;
    const second = await dns.ask(line);
    if ('refused' in again) {
      expect(
        second.kind === 'refused' && [second.error.message, 'hint' in second.error && second.error.hint].join(' '),
      ).toContain(again.refused);
    } else {
      if (second.kind !== 'plan') throw new Error(`${line}: ${second.kind}`);
      if ('nothing' in again) expect(second.plan.nothingToDo).toContain(again.nothing);
      else expect(second.plan.nothingToDo).toBeUndefined();
    }
    expect(dns.writes()).toHaveLength(sent);
  },
);
