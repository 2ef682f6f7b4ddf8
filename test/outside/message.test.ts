import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeResponse, encodeQuestion } from '../../src/outside/message.ts';

interface Question {
  readonly name: string;
  readonly type: 'A' | 'NS' | 'TXT';
}
const question = { name: 'www.example.com', type: 'A' } as const;

/** A response to a question with the same answer for this name, as often as it says. */
function response(
  owner: Buffer,
  data: Buffer,
  { flags = 0x8400, asked = question as Question, times = 1 } = {},
): Buffer {
  const packet = Buffer.from(encodeQuestion(7, asked) ?? []);
  packet.writeUInt16BE(flags, 2);
  packet.writeUInt16BE(times, 6);
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE({ A: 1, NS: 2, TXT: 16 }[asked.type], 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt32BE(300, 4);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([packet, ...Array.from({ length: times }, () => Buffer.concat([owner, fixed, data]))]);
}
const same = Buffer.of(0xc0, 12);
const address = Buffer.of(192, 0, 2, 1);

test('a response has the records of exactly the name, with its authority', () => {
  const decoded = decodeResponse(response(same, address), 7, question);
  expect(decoded).toEqual({ kind: 'records', records: [{ data: '192.0.2.1', ttl: 300 }], isAuthoritative: true });
  // The address of the name to which an alias leads.
  const other = Buffer.concat([Buffer.from('\x05other'), Buffer.of(0)]);
  expect(decodeResponse(response(other, address), 7, question)).toMatchObject({ records: [] });
  expect(decodeResponse(response(same, address, { flags: 0x8000 }), 7, question)).toMatchObject({
    isAuthoritative: false,
  });
});

test('a name that does not exist is an answer; a failure and a refusal are not', () => {
  const without = (flags: number) => {
    const packet = Buffer.from(encodeQuestion(7, question) ?? []);
    packet.writeUInt16BE(flags, 2);
    return decodeResponse(packet, 7, question);
  };
  expect(without(0x8403)).toEqual({ kind: 'records', records: [], isAuthoritative: true });
  expect(without(0x8002)).toEqual({ kind: 'none', why: 'it failed' });
  expect(without(0x8005)).toEqual({ kind: 'none', why: 'it refused' });
  expect(without(0x8600)).toEqual({ kind: 'truncated' });
});

test('the response to another question is ignored', () => {
  expect(decodeResponse(response(same, address), 8, question)).toBeUndefined();
  expect(decodeResponse(response(same, address), 7, { ...question, type: 'AAAA' })).toBeUndefined();
  expect(decodeResponse(response(same, address), 7, { ...question, name: 'a.example.com' })).toBeUndefined();
  expect(decodeResponse(response(same, address, { flags: 0x0400 }), 7, question)).toBeUndefined();
});

test('names that lead in circles, data of another length and cut messages are no response', () => {
  const packet = response(same, address);
  const circle = response(Buffer.of(0xc0, packet.length - 16), address);
  expect(decodeResponse(circle, 7, question)).toBeUndefined();
  expect(decodeResponse(response(same, Buffer.of(1, 2, 3)), 7, question)).toBeUndefined();
  for (let length = 0; length < packet.length; length += 1)
    expect(decodeResponse(packet.subarray(0, length), 7, question)).toBeUndefined();
});

test('the longest name, labels of 63 characters, and six long texts are read; a longer name is no response', () => {
  const labels = ['a'.repeat(63), 'b'.repeat(63), 'c'.repeat(63), 'd'.repeat(61)];
  const named = (parts: string[]) =>
    Buffer.concat([...parts.flatMap((part) => [Buffer.of(part.length), Buffer.from(part)]), Buffer.of(0)]);
  const reply = (owner: Buffer, data: Buffer, times: number, type: 'NS' | 'TXT') => {
    const asked = { name: labels.join('.'), type };
    return decodeResponse(response(owner, data, { asked, times }), 7, asked);
  };
  expect(named(labels)).toHaveLength(255);
  expect(reply(named(labels), named(labels), 1, 'NS')).toMatchObject({ records: [{ data: labels.join('.') }] });
  expect(reply(same, named([...labels.slice(0, 3), 'd'.repeat(62)]), 1, 'NS')).toBeUndefined();
  const half = Buffer.concat([Buffer.of(225), Buffer.alloc(225, 'v')]);
  const texts = reply(same, Buffer.concat([half, half]), 6, 'TXT');
  expect(texts).toMatchObject({ records: Array.from({ length: 6 }, () => ({ data: 'v'.repeat(450) })) });
});

test('no bytes make the reader throw or read without end', () => {
  const types = ['A', 'NS', 'CNAME', 'MX', 'TXT', 'AAAA', 'SRV', 'CAA'] as const;
  const property = fc.property(fc.constantFrom(...types), fc.uint8Array({ maxLength: 80 }), (type, noise) => {
    const asked = { ...question, type };
    const packet = Buffer.concat([encodeQuestion(7, asked) ?? Buffer.alloc(0), noise]);
    packet.writeUInt16BE(0x8400, 2);
    packet.writeUInt16BE(2, 6);
    packet.writeUInt16BE(1, 8);
    decodeResponse(packet, 7, asked);
  });
  fc.assert(property);
});
