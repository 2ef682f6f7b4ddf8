import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { destroys } from '../../../src/core/grammar/command-shape.ts';
import { parse } from '../../../src/core/grammar/parse.ts';
import { commands, said, seedAccount } from './said.ts';

// Words of time in typed lines: each has a place, is asked about, or is refused. None becomes text without quotes.

const rows = readFileSync(new URL('stray-time.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((row) => row !== '' && !row.startsWith('#'))
  .map((row) => row.split(' | ') as [verdict: string, line: string]);
const account = await seedAccount();

/** The lines of the buttons. */
const offersOf = (outcome: string) =>
  [...outcome.matchAll(/ → (?:form: )?([^[]*)\](?= \[|$)/g)].map(([, line = '']) => line);

function verdictOf(outcome: string): string {
  if (!outcome.startsWith('✗'))
    return / (?:at|in|every|window)=|^(?!freeze).* until=/.test(outcome.replaceAll(/"[^"]*"/g, '')) ? 'later' : 'now';
  return offersOf(outcome).some((line) => / at=/.test(line)) ? 'asks' : 'refuses';
}

test.each(rows)('%s: %s', (verdict, line) => {
  const outcome = said(line, account);
  // A refusal may offer an hour, unless the line has an end or a span.
  if (verdict === 'refuses') expect(outcome).toMatch(/^✗/);
  else expect(verdictOf(outcome), outcome).toBe(verdict);
  if (/ (?:until|til|for|from|every) /.test(line) && verdict === 'refuses')
    expect(verdictOf(outcome), outcome).toBe(verdict);
});

describe('the buttons of a question', () => {
  const asked = rows.filter(([verdict]) => verdict === 'asks' || verdict === 'refuses').map(([, line]) => line);

  test.each(asked)('of "%s" lead to a line without a question, and never destroy at once', (line) => {
    const outcome = said(line, account);
    for (const offer of offersOf(outcome).filter((offer) => !offer.startsWith('help'))) {
      expect(said(offer, account)).not.toContain('✗');
      const parsed = parse(
        offer,
        commands,
        account.domains.map(({ name }) => name),
      );
      const isForm = outcome.includes(`→ form: ${offer}]`);
      if (parsed.kind === 'command' && destroys(parsed.command) && !isForm) expect(offer).toContain(' at=');
    }
  });
});

test.each([
  [
    'restart web-1 because of update tomorrow at 3pm',
    ['restart web-1 because "update tomorrow at 3pm"', 'restart web-1 at="tomorrow at 3pm" because update'],
  ],
  ['rename wiki-1 to handbook tomorrow', ['rename wiki-1 handbook at=tomorrow']],
  ['dns add example.com t1 TXT hello tomorrow 9am', ['dns add example.com t1 TXT hello at="tomorrow 9am"']],
])('"%s" is offered for its hour, and a reason with it as text', (line, offers) => {
  expect(offersOf(said(line, account))).toEqual(offers);
});

test.each([
  ['ticket db-1 is dead since friday, call us tomorrow 9am', 'db-1 is dead since friday, call us tomorrow 9am'],
  ['ticket open db-1 it failed at=3am and until=5 we waited', 'db-1 it failed at=3am and until=5 we waited'],
  ['open ticket network slow on web-1 since friday', 'network slow on web-1 since friday'],
])('the text of "%s" is sent as typed', (line, text) => {
  const parsed = parse(line, commands);
  if (parsed.kind !== 'command') throw new Error('no command');
  expect([parsed.raw.subject, parsed.raw.message].flat().join(' ')).toBe(text);
  expect(Object.keys(parsed.raw)).toEqual(['subject', 'message']);
});
