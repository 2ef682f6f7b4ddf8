import { expect, test } from 'vitest';
import { textsByFile } from './texts.ts';

/** Sentences that newcomers stumbled over: each has a plainer one, and none comes back. */
const gone: readonly RegExp[] = [
  /\b(?:Disruptive|Dangerous|Destructive|Routine) here:/,
  /here: one (?:confirmation|approval)/,
  /the name typed by/,
  /\bwent off\b/,
  /^was: /,
  /→ (?:on|off) · seen|^power … → …/,
  /not requested here/,
  /\bleads? (?:here|to (?!the provider's API))|\bwhere they lead\b/,
  /\bis on it since\b/,
  /This is waiting already: .*asked by/,
  /Nothing new was requested/,
  /\bwas read as\b/,
  /\bgoes with: /,
  /^Not expected after/,
  /has to be typed in full/,
  /The approvers are mentioned/,
  /^Changed by$/,
  /\bmay read, billing\b/,
  /Its (?:card|link)(?: is in|: )/,
  /\. Checked: /,
  /^Done: .*\. Checked/,
  /the subscription is saved\. Checked/,
  /The file of this answer/,
  /as the provider measures it/,
  /handed over to be canceled/,
  /has announced canceling now/,
  /lists those that are there/,
  /this needs the right /,
  / → none\b.*ttl/,
  /^That would be /,
  /may not see anything in your channels/,
  /account run low, then have/,
  /the help of the support/,
  /and here are \d|, and here (?:is|are) |^A value of type /,
  /stays on an alert for/,
  /is subscribed to \d|subscribed to … things/,
];

test.each(gone)('no text of the bot matches %s', (pattern) => {
  const all = [...textsByFile()].flatMap(([file, texts]) => texts.map((text) => `${file}: ${text}`));
  const bare = (line: string) => line.slice(line.indexOf(': ') + 2);
  expect(all.length).toBeGreaterThan(1_000);
  expect(all.filter((line) => pattern.test(bare(line)))).toEqual([]);
});
