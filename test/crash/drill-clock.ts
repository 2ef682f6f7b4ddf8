import { subscribe } from 'node:diagnostics_channel';

// Loaded by a bot before its own code (NODE_OPTIONS): a separate wall clock, DRILL_AHEAD_MS ahead from the start, and
// 30 s more with each SIGUSR2. The process freezes right before it sends the write to DRILL_FREEZE_AT; when it
// continues, six minutes have passed for it. SIGWINCH causes an unhandled error.

const { now } = Date;
let aheadMs = Number(process.env.DRILL_AHEAD_MS ?? 0);
Date.now = () => now() + aheadMs;
process.on('SIGUSR2', () => {
  aheadMs += 30_000;
});
let isNext = false;
process.on('SIGWINCH', () => void Promise.reject(new Error('nobody looks at this')));
subscribe('undici:request:create', (message) => {
  // The message of this channel, as undici documents it.
  const { request } = message as { request: { method: string; path: string } };
  isNext ||= request.method === 'POST' && request.path === process.env.DRILL_FREEZE_AT;
});
// The connection is there, and nothing has been sent over it.
subscribe('undici:client:connected', () => {
  if (!isNext) return;
  isNext = false;
  process.kill(process.pid, 'SIGSTOP');
  aheadMs += 6 * 60_000;
});
