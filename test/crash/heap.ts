import { once } from 'node:events';
import { WebSocket } from 'ws';
import { z } from 'zod';
import type { BotProcess } from '../support/process/bot-process.ts';

/** A bot started with these can be asked how much of its heap is alive. */
export const inspectable = '--inspect=127.0.0.1:0';

const answer = z.object({ id: z.number(), result: z.looseObject({ usedSize: z.number().optional() }) });

/** The heap that is left after a full collection, in MB. */
export async function liveHeapMb({ log }: BotProcess): Promise<number> {
  const url = log.map(({ text }) => /^Debugger listening on (ws:\S+)/.exec(text)?.[1]).find(Boolean);
  if (url === undefined) throw new Error(`the bot was not started with ${inspectable}`);
  const socket = new WebSocket(url);
  await once(socket, 'open');
  let usedBytes = 0;
  for (const [id, method] of ['HeapProfiler.collectGarbage', 'Runtime.getHeapUsage'].entries()) {
    socket.send(JSON.stringify({ id, method }));
    const [said] = await once(socket, 'message');
    usedBytes = answer.parse(JSON.parse(String(said))).result.usedSize ?? 0;
  }
  socket.close();
  return Math.round(usedBytes / 1_048_576);
}
