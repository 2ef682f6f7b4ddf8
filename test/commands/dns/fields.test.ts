import { expect, test } from 'vitest';
import { dnsEdit } from '../../../src/commands/dns/edit.ts';
import { dnsAdd, dnsSet } from '../../../src/commands/dns/set.ts';
import { fieldsOf } from '../../../src/core/command/command-form.ts';
import type { RawArgs } from '../../../src/core/grammar/command-shape.ts';

const record = ['Domain', 'Host', 'Type', 'Value', 'TTL'];
const labels = ({ args }: Pick<typeof dnsSet, 'args'>, raw: RawArgs) =>
  fieldsOf(args, raw, (_, value) => value).map(({ label }) => label);

test.each([dnsAdd, dnsSet])('the form of $path asks for a prio only for a type that has one', (command) => {
  expect(labels(command, {})).toEqual(record);
  expect(labels(command, { type: ['A'] })).toEqual(record);
  expect(labels(command, { type: ['mx'] })).toEqual([...record, 'Prio']);
  expect(labels(command, { type: ['SRV'] })).toEqual([...record, 'Prio']);
  expect(labels(command, { type: ['A'], prio: ['10'] })).toEqual([...record, 'Prio']);
});

test('the form of dns edit asks for a prio unless the record is known to have none', () => {
  expect(labels(dnsEdit, {})).toContain('Prio');
  expect(labels(dnsEdit, { type: ['MX'] })).toContain('Prio');
  expect(labels(dnsEdit, { type: ['A'] })).not.toContain('Prio');
});
