import { expect } from 'vitest';
import type { Story } from './story.ts';

// Changes of records, and their undo.

export const dns: readonly Story[] = [
  {
    name: 'dns set changes a record, and its undo restores it',
    tell: async (it) => {
      await it.confirmed('dns set one.example www A 192.0.2.20 ttl=300');
      await it.reads(`
        @hostler: ✅ Change A www.one.example · done in ‹time›
          \`\`\`
          − www  A  203.0.113.150  ttl 300
          + www  A  192.0.2.20     ttl 300
          \`\`\`
          www.one.example A is 192.0.2.20; the zone has it.
          Asked and confirmed by @operator
          [Undo] [… Details]
            @hostler: www.one.example A is 192.0.2.20; the zone has it.`);
      await it.press('operator', 'Undo');
      await it.press('operator', 'Confirm');
      await it.sees('www.one.example A is 203.0.113.150; the zone has it.');
      await it.sees('Note: Undone by @operator.\n  Asked and confirmed by @operator\n  [… Details]');
    },
  },
  {
    name: 'dns add adds a record, its undo is refused after a later change, and dns remove needs an approval',
    tell: async (it) => {
      await it.confirmed('dns add two.example test A 192.0.2.9');
      await it.sees('test.two.example A 192.0.2.9 added');
      await it.settle();
      const zone = it.provider.state().domains.find(({ name }) => name === 'two.example');
      const entry = zone?.entries.find(({ host }) => host === 'test');
      it.provider.records({ domain: 'two.example', set: [{ id: entry?.id ?? 0, value: '192.0.2.66' }] });
      await it.press('operator', 'Undo');
      await it.sees(
        'two.example changed since "Add A test.two.example": test A 192.0.2.9 ttl 3600 is now test A 192.0.2.66',
      );
      await it.say('operator', 'dns add two.example bad A 999.1.1.1');
      await it.sees('`999.1.1.1` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.');
      await it.say('operator', 'dns remove two.example www A');
      await it.press('lead', 'Approve');
      await it.sees('@operator www.two.example A 203.0.113.150 removed; the zone no longer has it.');
      expect(it.sent('two.example')).toHaveLength(2);
    },
  },
  {
    name: 'a form has the typed values, shows an error at its field, and then makes the card',
    tell: async (it) => {
      await it.say('operator', 'dns add three.example');
      await it.submit('operator', { Host: 'status', Type: 'A', Value: '300.1.2.3' });
      await it.modalOf('operator').reads(`
        == Add a DNS record ==
        Domain: [three.example ▾]
          A domain of the account.
        Host: [status]
          Such as www. Use @ for the domain itself and * for all other names.
        Type: [A ▾]
          One of A, AAAA, CNAME, MX, TXT, SRV, CAA, NS.
        Value: [300.1.2.3]
          The address, name or text. For MX and SRV it may begin with the prio.
          ! 300.1.2.3 is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.
        TTL: [Not chosen ▾]
          How long answers are cached, such as 300, 5m or 1h.
        When: [Now ▾]
        Reason (optional): [no ping since 4:20]
          The people who approve read it.
        [Close] [Continue]`);
      await it.submit('operator', { Value: '192.0.2.77' });
      await it.press('operator', 'Confirm');
      await it.sees('status.three.example A 192.0.2.77 added; the zone has it.');
      expect(it.modal('operator')).toBe('');
    },
  },
];
