import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { freshDatabase } from '../support/database/databases.ts';
import type { BotProcess, Exit } from '../support/process/bot-process.ts';
import { newFolder } from '../support/process/new-folder.ts';
import { run } from '../support/process/run.ts';
import { openProxy } from '../support/process/tcp-proxy.ts';
import type { TestSystem } from '../support/process/test-system.ts';
import { kind, openSystem } from './stage.ts';

// One SIGTERM ends every process of ours during any wait: with 0 when all was finished, and with 124 otherwise.

const endings = [0, 124];

async function expectEnd(ended: Promise<Exit>): Promise<void> {
  const found = await Promise.race([ended, sleep(30_000, 'it runs after thirty seconds', { ref: false })]);
  expect(found).toMatchObject({ code: expect.toBeOneOf(endings), signal: null });
}

/** With a server that is being stopped and a card that nobody has decided. */
async function busyBot({ slack: { sim }, writes, until, bots }: TestSystem): Promise<BotProcess> {
  await sim.say('operator', '#ops', '/host stop web-1');
  await sim.waitFor('[Cancel]', { channel: '#ops' });
  await sim.click('operator', { channel: '#ops', isMain: true });
  await until(() => writes().length === 1, 'the stop to be sent');
  const [bot] = bots;
  if (bot === undefined) throw new Error('no bot');
  return bot;
}

describe.concurrent('one SIGTERM ends the bot', () => {
  kind({
    'while its disk is full': async (context) => {
      const system = await openSystem(context, { provider: { jobMs: 60_000 } });
      const bot = await busyBot(system);
      // No file of this process grows any further.
      await run('prlimit', ['--pid', String(bot.pid), '--fsize=1']);
      const { ack } = await system.slack.sim.say('operator', '#ops', '/host stop web-2');
      expect(ack).toMatchObject({ text: expect.stringContaining('Nothing was started') });
      await expectEnd(bot.end('SIGTERM'));
    },

    'when the folder of its database is deleted': async (context) => {
      const system = await openSystem(context, { provider: { jobMs: 60_000 } });
      const bot = await busyBot(system);
      await rm(dirname(system.database.url), { recursive: true });
      await system.slack.sim.say('operator', '#ops', '/host stop web-2');
      await expectEnd(bot.end('SIGTERM'));
    },

    'while PostgreSQL is silent': async (context) => {
      const database = await freshDatabase('postgres');
      const url = new URL(database.url);
      const proxy = await openProxy(Number(url.port));
      context.onTestFinished(proxy.close);
      url.port = String(proxy.port);
      const system = await openSystem(context, {
        engine: 'postgres',
        database: { ...database, url: url.href },
        provider: { jobMs: 60_000 },
      });
      const bot = await busyBot(system);
      proxy.set('silent');
      proxy.silenceOpen();
      void system.slack.sim.say('operator', '#ops', '/host stop web-2');
      await expectEnd(bot.end('SIGTERM'));
      proxy.set('open');
      proxy.cut();
    },

    'while Slack is silent': async (context) => {
      const system = await openSystem(context, { provider: { jobMs: 60_000 } });
      const { sim } = system.slack;
      const bot = await busyBot(system);
      sim.fault({ method: '*', delayMs: 120_000 });
      await sim.say('operator', '#ops', '/host stop web-2');
      await expectEnd(bot.end('SIGTERM'));
    },

    'while the answers of Slack do not end': async (context) => {
      const system = await openSystem(context, { bots: 0 });
      const { sim, apiUrl } = system.slack;
      const api = await openEndlessApi(apiUrl);
      context.onTestFinished(api.close);
      const bot = await system.start({ SLACK_API_URL: api.url });
      const asked = api.drip();
      // The rights of a person are read from Slack first.
      await sim.say('operator', '#ops', '/host stop web-1');
      await asked;
      await expectEnd(bot.end('SIGTERM'));
    },
  });
});

/** Passes calls on to Slack. After `drip`, each answer gets one more space every second, so that no time limit ends it. */
async function openEndlessApi(slack: string) {
  const asked = Promise.withResolvers<void>();
  let drips = false;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    response.setHeader('content-type', 'application/json');
    if (drips) {
      asked.resolve();
      const timer = setInterval(() => response.write(' '), 1_000);
      response.once('close', () => clearInterval(timer));
      return;
    }
    const { authorization = '', 'content-type': type = '' } = request.headers;
    const method = request.url?.slice(1) ?? '';
    const headers = { authorization, 'content-type': type };
    const answer = await fetch(`${slack}${method}`, { method: 'POST', headers, body });
    response.end(await answer.text());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/`,
    drip: () => {
      drips = true;
      return asked.promise;
    },
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
    },
  };
}

/** The words with which each says that it runs. */
const others = { start: /sandbox is at/, 'simulate provider': /^control/, 'simulate slack': /SIGNING_SECRET/ };

describe.concurrent('one SIGTERM ends, although its folder is deleted,', () => {
  test.concurrent.for(Object.entries(others))('hostler %s', async ([line, ready], { onTestFinished, expect }) => {
    const dir = await newFolder('stop', onTestFinished);
    const { PATH = '' } = process.env;
    const child = spawn(
      process.execPath,
      [join(import.meta.dirname, '../../dist/main.js'), ...line.split(' '), '--port', '0'],
      {
        cwd: dir,
        env: { PATH, HOSTLER_SANDBOX_DIR: join(dir, 'data') },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += String(chunk);
    });
    for await (const words of createInterface(child.stdout)) if (ready.test(words)) break;
    await rm(dir, { recursive: true });
    const ended = once(child, 'exit').then(([code, signal]): Exit => ({ code, signal }));
    child.kill('SIGTERM');
    await expectEnd(ended);
    expect(errors).not.toMatch(/^\s+at /m);
  });
});
