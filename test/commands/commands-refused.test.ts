import { expect, test } from 'vitest';
import { loadCommands } from '../../src/commands/all.ts';
import { ProviderError } from '../../src/core/view/errors.ts';
import { table } from '../../src/provider/table.ts';
import { openDns } from './dns/open.ts';
import { twice } from './twice.ts';

// For every command: when the provider refuses, people read the provider's own words, and nothing else was sent.

const words = 'The account is under maintenance until noon.';
const commands = await loadCommands();
const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]);
const routes = Object.values(table).flatMap((area) => Object.values(area));

async function open() {
  const dns = await openDns({
    commands,
    uploads: { 'project logo': 'F0LOGO' },
    file: async () => ({ name: 'logo.png', type: 'image/png', bytes: png }),
  });
  const refuse = (effect: 'read' | 'write') => {
    for (const row of routes) {
      if (row.effect === effect)
        dns.sim.fault({ kind: 'answer', match: row.route, status: 409, body: { detail: words } });
    }
  };
  return { ...dns, refuse };
}

test.each(Object.entries(twice))('%s quotes the provider when it refuses the write', async (_, { before, line }) => {
  const dns = await open();
  if (before !== undefined) await dns.done(before);
  const sent = dns.writes().length;
  dns.refuse('write');
  const ran = await dns.done(line, 'b8g4d3');
  expect(ran).toMatchObject({ end: 'failed', note: words });
  expect(dns.writes()).toHaveLength(sent + 1);
});

/** `ticket list` reads the database of the bot: the provider lists no tickets. */
const asking = commands.filter(
  ({ kind, area, path }) => kind === 'query' && area !== 'The bot' && area !== 'Alerts' && path !== 'ticket list',
);

test.each(asking.map((command) => [command.path, command.examples[0]]))(
  '%s quotes the provider when it refuses a read',
  async (_, line) => {
    const dns = await open();
    dns.refuse('read');
    const asked = await dns.ask(line);
    expect(asked.kind === 'refused' && asked.error instanceof ProviderError && asked.error.words).toBe(words);
  },
);
