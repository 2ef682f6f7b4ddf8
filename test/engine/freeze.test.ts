import { expect, test } from 'vitest';
import { openRoom, type Room } from '../support/room.ts';
import { readAloud } from '../support/said.ts';

// While something is frozen no action starts there; reading goes on, and so does what runs.

/** What is said from here on. */
async function answerTo(room: Room, user: string, line: string): Promise<string> {
  const before = room.posted.length;
  await room.say(user, line);
  await room.settle();
  return room.posted
    .slice(before)
    .map(({ view }) => readAloud(view, (id) => id))
    .join('\n');
}

test('a channel: nothing starts there until who froze it, or an admin, ends it', async () => {
  const room = await openRoom();
  await answerTo(room, 'operator', 'freeze here "release under way" for=2h');
  expect(await answerTo(room, 'lead', 'restart web-1')).toMatch(
    /^Not now: this channel is frozen until \S+ \S+ UTC: release under way\. See \/host freeze list\.$/,
  );
  expect(await answerTo(room, 'lead', 'project create Shop')).toContain('Not now: this channel is frozen');
  expect(await answerTo(room, 'lead', 'status web-1')).toContain('## web-1  [● on]');
  expect(await answerTo(room, 'lead', 'why restart web-1')).toContain('Frozen: this channel is frozen until');
  expect(await answerTo(room, 'lead', 'unfreeze')).toContain('Only who froze it or an admin can end this freeze.');
  await room.say('operator', 'unfreeze');
  await room.press('operator', 'Confirm');
  await room.settle();
  expect(room.story()).toContain('@operator The freeze is over');
  expect(await answerTo(room, 'lead', 'restart web-1')).toContain('## Restart web-1  [waiting for confirmation]');
});

test('a tag: its servers only, and only for as long as it was said', async () => {
  const room = await openRoom();
  await answerTo(room, 'operator', 'freeze tag:web "migration" for=2h');
  expect(await answerTo(room, 'lead', 'restart web-1')).toContain('Not now: tag:web is frozen');
  expect(await answerTo(room, 'lead', 'restart db-1')).toContain('## Restart db-1  [waiting for confirmation]');
  await room.pass(2 * 3_600_000 + 1_000);
  expect(await answerTo(room, 'lead', 'restart web-1')).toContain('## Restart web-1  [waiting for confirmation]');
});

test('everything: an admin alone can', async () => {
  const room = await openRoom();
  expect(await answerTo(room, 'operator', 'freeze all "audit"')).toContain('Only an admin can freeze everything.');
  await room.say('admin', 'access grant everyone "operate"');
  await room.press('admin', 'Confirm');
  await room.settle();
  await answerTo(room, 'admin', 'freeze all "audit of the year"');
  expect(await answerTo(room, 'operator', 'stop db-1')).toContain('Not now: everything is frozen');
});

test('frozen between the card and the click: it does not run, and its end says why', async () => {
  const room = await openRoom();
  await room.say('lead', 'restart web-1');
  await answerTo(room, 'operator', 'freeze here "release under way"');
  await room.press('lead', 'Confirm');
  await room.settle();
  expect(room.story()).toMatch(
    /@lead not run: this channel is frozen until ‹date› UTC: release under way\. See \/host freeze list\. Nothing was done\./,
  );
  expect(room.writes()).toEqual([]);
  expect(await room.store.locks.list()).toEqual([]);
});
