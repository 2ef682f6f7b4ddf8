import { test } from 'vitest';
import { stories } from './all.ts';
import { tellInRoom } from './in-room.ts';

// test/acceptance/stories.test.ts tells the same ones through the whole bot.

test.concurrent.for(stories)('$name', (story, { onTestFinished }) => tellInRoom(story, onTestFinished));
