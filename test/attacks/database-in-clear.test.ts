import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { parseDatabaseUrl } from '../../src/store/address.ts';
import { openStore } from '../../src/store/database.ts';
import { listeningPort } from '../support/process/listening-port.ts';

// An attacker on the wire between the bot and its database could read the password, and write policies.

const verified = '?sslmode=verify-full';

test.each([
  'postgres://hostler:S3cretDbPw@db.example.com/hostler',
  'postgres://hostler:S3cretDbPw@db.example.com:6432/hostler?sslmode=require',
  'postgres://hostler:S3cretDbPw@db.example.com/hostler?sslmode=prefer',
  'postgres://hostler:S3cretDbPw@db.example.com/hostler?sslmode=no-verify',
  'postgres://hostler:S3cretDbPw@db.example.com/hostler?sslmode=disable&sslmode=verify-full',
  'postgres://hostler:S3cretDbPw@10.0.0.5/hostler',
  'postgresql://hostler:S3cretDbPw@[2001:db8::5]/hostler',
  'postgres://hostler:S3cretDbPw@localhost,db.example.com/hostler',
  'postgres://hostler:S3cretDbPw@localhost/hostler?host=db.example.com',
])('an address that would send the password in clear is refused with the correct address: %s', async (url) => {
  expect(() => parseDatabaseUrl(url)).toThrow(/write postgres:\/\/\S+\/hostler\?sslmode=verify-full\./);
  await expect(openStore(url)).rejects.toThrow('DATABASE_URL is not safe: it leads over a network');
  const reading = readConfig({ SLACK_BOT_TOKEN: 'xoxb-1-2-3', DATABASE_URL: url });
  const lines = reading.kind === 'problems' ? reading.lines.join('\n') : '';
  expect(lines).toContain('DATABASE_URL is not safe: it leads over a network');
  expect(lines).toContain('sslrootcert=/path/to/ca.pem');
  expect(lines).not.toContain('S3cretDbPw');
});

test.each([
  [`postgres://hostler:pw@db.example.com/hostler${verified}`, 'db.example.com'],
  ['postgres://hostler:pw@database:5432/hostler', 'database'],
  ['postgres://hostler:pw@localhost/hostler', 'localhost'],
  ['postgres://hostler:pw@127.0.0.1:5432/hostler', '127.0.0.1'],
  ['postgres://hostler:pw@[::1]/hostler', '::1'],
])('an address that is encrypted and verified, or that leads to this machine, is accepted: %s', (url, host) => {
  expect(parseDatabaseUrl(url)).toMatchObject({ engine: 'postgres', hosts: [{ host }] });
});

test.each([
  [
    'postgres://database/hostler?sslmode=prefer',
    'its sslmode leaves encryption to the server: write sslmode=verify-full once',
  ],
  ['postgres://db.example.com/hostler?sslmode=verify-full&sslcert=/a.pem', 'where the bot knows sslmode, sslrootcert,'],
])('an address that the two drivers would read in two ways is refused: %s', (url, why) => {
  expect(() => parseDatabaseUrl(url)).toThrow(why);
  const reading = readConfig({ SLACK_BOT_TOKEN: 'xoxb-1-2-3', DATABASE_URL: url });
  expect(reading.kind === 'problems' && reading.lines.join()).toContain(why);
});

test('with verify-full no password is sent before the server has shown a valid certificate', async () => {
  const heard: Buffer[] = [];
  const server = createServer((socket) => {
    socket.on('data', (chunk) => {
      heard.push(chunk);
      // "No TLS here", as an attacker in between would answer.
      socket.write('N');
    });
    socket.on('error', () => {});
  });
  const url = `postgres://hostler:S3cretDbPw@127.0.0.1:${await listeningPort(server)}/hostler${verified}`;
  await expect(openStore(url, { connectTimeoutMs: 500, queryTimeoutMs: 1_500 })).rejects.toThrow();
  expect(heard.length).toBeGreaterThan(0);
  const text = Buffer.concat(heard).toString('latin1');
  expect(text).not.toContain('S3cretDbPw');
  // The bot sent only the request for TLS, without even the name of the user.
  expect(text).not.toContain('hostler');
});
