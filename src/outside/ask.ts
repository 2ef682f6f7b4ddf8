import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, isIPv6 } from 'node:net';
import type { DnsQuestion } from '../core/dns/asked.ts';
import { type DnsResponse, decodeResponse, encodeQuestion, mostBytes, uint16s } from './message.ts';

/** One question to one address: over UDP, and over TCP if the response does not fit. */

export interface AskedAt {
  readonly address: string;
  readonly port: number;
  readonly timeoutMs: number;
  /** Reserves one more packet: the caller has reserved the first. */
  readonly admit: (packets: number) => boolean;
  /** Ends the question when the bot stops. */
  readonly signal: AbortSignal;
}

type Response = Exclude<DnsResponse, { kind: 'truncated' }>;

/** A lost packet is not an answer, so UDP is tried twice. */
const triesOverUdp = 2;
const silence: Response = { kind: 'none', why: 'it did not answer' };

export async function askAt(at: AskedAt, question: DnsQuestion): Promise<Response> {
  for (let attempt = 0; attempt < triesOverUdp; attempt += 1) {
    if (attempt > 0 && !at.admit(1)) return silence;
    const response = await overUdp(at, question);
    if (response?.kind === 'truncated') return (at.admit(1) ? await overTcp(at, question) : undefined) ?? silence;
    if (response !== undefined) return response;
  }
  return silence;
}

/**
 * A new port and a new number for each question, of which only this address may answer: a forged response has to guess
 * both.
 */
function overUdp(at: AskedAt, question: DnsQuestion): Promise<DnsResponse | undefined> {
  const id = randomInt(0x10000);
  const packet = encodeQuestion(id, question);
  if (packet === undefined) return Promise.resolve({ kind: 'none', why: 'it cannot be asked for this name' });
  const socket = createSocket(isIPv6(at.address) ? 'udp6' : 'udp4');
  return settled<DnsResponse>(at, (end) => {
    socket.on('error', () => end(undefined));
    socket.on('message', (bytes) => {
      const response = decodeResponse(bytes, id, question);
      if (response !== undefined) end(response);
    });
    socket.connect(at.port, at.address, () => socket.send(packet));
    return () => socket.close();
  });
}

async function overTcp(at: AskedAt, question: DnsQuestion): Promise<Response | undefined> {
  const id = randomInt(0x10000);
  const packet = encodeQuestion(id, question);
  if (packet === undefined) return undefined;
  const response = await settled<DnsResponse>(at, (end) => {
    let received = Buffer.alloc(0);
    const socket = connect(at.port, at.address);
    socket.on('error', () => end(undefined));
    socket.on('close', () => end(undefined));
    socket.on('connect', () => socket.write(Buffer.concat([uint16s(packet.length), packet])));
    socket.on('data', (bytes) => {
      received = Buffer.concat([received, bytes]);
      // One byte above the limit is enough to refuse the response.
      const length = received.length < 2 ? undefined : Math.min(received.readUInt16BE(0), mostBytes + 1);
      if (length !== undefined && received.length >= 2 + length)
        end(decodeResponse(received.subarray(2, 2 + length), id, question));
    });
    return () => socket.destroy();
  });
  return response?.kind === 'truncated' ? undefined : response;
}

/** Runs until the first end, the time limit or the stop of the bot, and closes what it opened. */
function settled<T>({ timeoutMs, signal }: AskedAt, begin: (end: (value: T | undefined) => void) => () => void) {
  if (signal.aborted) return Promise.resolve(undefined);
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const stop = () => resolve(undefined);
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop);
  const close = begin(resolve);
  return promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    close();
  });
}
