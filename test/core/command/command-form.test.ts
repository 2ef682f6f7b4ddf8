import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { loadCommands } from '../../../src/commands/all.ts';
import { choice, domain, flag, integer, optional, orders, text, words } from '../../../src/core/command/args.ts';
import { fieldsOf, rawOf } from '../../../src/core/command/command-form.ts';
import { person } from '../../../src/core/command/slack-args.ts';
import { parse } from '../../../src/core/grammar/parse.ts';

const args = {
  servers: orders({ hint: 'one, or several' }),
  zone: domain({ hint: 'a domain', label: 'Domain' }),
  record_type: choice({ hint: 'kind', of: ['A', 'MX'] }),
  value: text({ hint: 'what it says', place: 'rest', multiline: true, example: '192.0.2.1' }),
  ttl: optional(integer({ hint: 'seconds', min: 60, max: 86_400, place: 'option' })),
  labels: optional(words({ hint: 'tags', schema: z.string(), most: 9, place: 'option' })),
  owner: optional(person({ hint: 'who looks after it', place: 'option' })),
  now: flag({ hint: 'do not wait' }),
};

const commands = await loadCommands();
const labels = (arg: string, value: string) => `${arg} ${value}`;

describe('a command’s modal', () => {
  test('the modal of a command has a field for each argument, empty at first', () => {
    expect(fieldsOf(args, {}, labels)).toEqual([
      {
        name: 'servers',
        label: 'Servers',
        hint: 'one, or several',
        optional: false,
        widget: 'search',
        source: 'servers',
        many: true,
      },
      {
        name: 'zone',
        label: 'Domain',
        hint: 'a domain',
        optional: false,
        widget: 'search',
        source: 'domains',
        many: false,
      },
      {
        name: 'record_type',
        label: 'Record type',
        hint: 'kind',
        optional: false,
        widget: 'choice',
        options: [
          { value: 'A', label: 'A' },
          { value: 'MX', label: 'MX' },
        ],
      },
      {
        name: 'value',
        label: 'Value',
        hint: 'what it says',
        optional: false,
        example: '192.0.2.1',
        widget: 'multiline',
      },
      { name: 'ttl', label: 'Ttl', hint: 'seconds', optional: true, widget: 'number' },
      { name: 'labels', label: 'Labels', hint: 'tags', optional: true, widget: 'text' },
      { name: 'owner', label: 'Owner', hint: 'who looks after it', optional: true, widget: 'people', initial: [] },
      { name: 'now', label: 'Now', hint: 'do not wait', optional: false, widget: 'toggle', initial: false },
    ]);
  });

  test('the modal of a command is filled in with what was typed', () => {
    const typed = parse('change 34-101 34-102 example.com', [
      { path: 'change', args: { ...args, servers: { ...args.servers, place: 'rest' } } },
    ]);
    expect(typed.kind).toBe('command');
    const given = {
      servers: ['34-101', '34-102'],
      record_type: ['mx'],
      value: ['10', 'mail.example.com'],
      ttl: ['300'],
      labels: ['a', 'b'],
      owner: ['@U012AB3CD'],
      now: ['on'],
    };
    const initial = fieldsOf(args, given, labels).map((field) => ('initial' in field ? field.initial : undefined));
    expect(initial).toEqual([
      [
        { value: '34-101', label: 'servers 34-101' },
        { value: '34-102', label: 'servers 34-102' },
      ],
      undefined,
      'MX',
      '10 mail.example.com',
      '300',
      'a b',
      ['U012AB3CD'],
      true,
    ]);
  });

  test('the modal of a command leaves a choice open when the typed word is not one of its options', () => {
    const field = fieldsOf(args, { record_type: ['mxx'] }, labels).find(({ name }) => name === 'record_type');
    expect(field).not.toHaveProperty('initial');
  });

  test.each([
    ['cancel web-1 when=later', 'when', 'expired'],
    ['cancel web-1 when=END', 'when', 'expired'],
    ['dns edit example.com www ttl=5m', 'ttl', '300'],
    ['dns edit example.com www ttl=1H', 'ttl', '3600'],
    ['create plan=nvme-2 memory=16GB', 'ram', '16'],
    ['create plan=nvme-2 disk=120gb', 'disk', '120'],
    ['access grant everyone can=Read,DNS', 'can', ['read', 'dns']],
  ])('the modal of `%s` has the option or the number that the typed word stands for', (line, name, initial) => {
    const parsed = parse(line, commands);
    if (parsed.kind !== 'command') throw new Error(`${line} is no command`);
    const field = fieldsOf(parsed.command.args, parsed.raw, labels).find((one) => one.name === name);
    expect(field).toMatchObject({ initial });
  });
});

describe('the values of a submitted modal', () => {
  test('submitted values read like typed ones', () => {
    const raw = rawOf(args, {
      servers: ['34-101', '34-102'],
      zone: 'example.com',
      record_type: 'MX',
      value: '10 mail.example.com',
      ttl: ' ',
      labels: 'a, b  c',
      owner: ['U012AB3CD'],
      now: 'yes',
      smuggled: 'x',
    });
    expect(raw).toEqual({
      servers: ['34-101', '34-102'],
      zone: ['example.com'],
      record_type: ['MX'],
      value: ['10 mail.example.com'],
      labels: ['a', 'b', 'c'],
      owner: ['U012AB3CD'],
      now: ['yes'],
    });
  });

  test('empty fields of a modal are left out', () => {
    expect(rawOf(args, { servers: [], value: '', labels: ' ,, ', owner: [] })).toEqual({});
  });
});
