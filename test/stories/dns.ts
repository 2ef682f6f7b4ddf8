import { expect } from 'vitest';
import type { Story } from './story.ts';

// Changes of records, and their undo.

export const dns: readonly Story[] = [
  {
    name: 'dns set changes a record, and its undo restores it',
    tell: async (it) => {
      await it.say('operator', 'dns set one.example www A 192.0.2.20 ttl=300');
      await it.press('operator', 'Confirm');
      const changed = `
        @hostler: ✅ Change A www.one.example · done in ‹time›
          \`\`\`
          − www  A  203.0.113.150  ttl 300
          + www  A  192.0.2.20     ttl 300
          \`\`\`
          www.one.example A is 192.0.2.20; the zone has it.
          Asked and confirmed by @operator
          [Undo] [… Details]
            @hostler: www.one.example A is 192.0.2.20; the zone has it.`;
      await it.reads(changed);
      await it.press('operator', 'Undo');
      await it.press('operator', 'Confirm');
      await it.reads(`${undone(changed)}
        @hostler: ✅ Undo: Change A www.one.example · done in ‹time›
          \`\`\`
          − www  A  192.0.2.20     ttl 300
          + www  A  203.0.113.150  ttl 300
          \`\`\`
          www.one.example A is 203.0.113.150; the zone has it.
          Asked and confirmed by @operator
          [Undo] [… Details]
            @hostler: www.one.example A is 203.0.113.150; the zone has it.`);
    },
  },
  {
    name: 'dns add adds a record, its undo is refused after a later change, and dns remove needs an approval',
    tell: async (it) => {
      await it.say('operator', 'dns add two.example test A 192.0.2.9');
      await it.press('operator', 'Confirm');
      await it.sees('test.two.example A 192.0.2.9 added');
      await it.settle();
      const zone = it.provider.state().domains.find(({ name }) => name === 'two.example');
      const entry = zone?.entries.find(({ host }) => host === 'test');
      it.provider.records({ domain: 'two.example', set: [{ id: entry?.id ?? 0, value: '192.0.2.66' }] });
      await it.press('operator', 'Undo');
      await it.say('operator', 'dns add two.example bad A 999.1.1.1');
      await it.say('operator', 'dns remove two.example www A');
      await it.press('lead', 'Approve');
      await it.reads(`
        @hostler: ✅ Add A test.two.example · done in ‹time›
          \`\`\`
          + test  A  192.0.2.9  ttl 3600
          \`\`\`
          test.two.example A 192.0.2.9 added; the zone has it.
          Asked and confirmed by @operator
          [Undo] [… Details]
            @hostler: test.two.example A 192.0.2.9 added; the zone has it.
        (only visible to @operator) @hostler: two.example changed since "Add A test.two.example": test A 192.0.2.9 ttl 3600 is now test A 192.0.2.66 ttl 3600. Nothing was put back. Use dns edit for what should be different.
          [Show the records]
        (only visible to @operator) @hostler: \`999.1.1.1\` is not an IPv4 address. It should be four numbers from 0 to 255, like 192.0.2.10.
          [Open the form]
        @hostler: ✅ Remove A www.two.example · done in ‹time›
          \`\`\`
          − www  A  203.0.113.150  ttl 300
          \`\`\`
          www.two.example A 203.0.113.150 removed; the zone no longer has it.
          Asked by @operator · approved by @lead
          [Undo] [… Details]
            @hostler: @operator www.two.example A 203.0.113.150 removed; the zone no longer has it.`);
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
        When (optional): [Choose ▾]
          In your time zone. Leave it empty to begin at once.
        Reason (optional): [no ping since 4:20]
          The people who approve read it.
        [Close] [Continue]`);
      await it.submit('operator', { Value: '192.0.2.77' });
      await it.press('operator', 'Confirm');
      await it.reads(`
        @hostler: ✅ Add A status.three.example · done in ‹time›
          \`\`\`
          + status  A  192.0.2.77  ttl 3600
          \`\`\`
          status.three.example A 192.0.2.77 added; the zone has it.
          Asked and confirmed by @operator
          [Undo] [… Details]
            @hostler: status.three.example A 192.0.2.77 added; the zone has it.`);
      expect(it.modal('operator')).toBe('');
    },
  },
];

/** The card of a change after its undo. */
function undone(card: string): string {
  return card
    .replace('          Asked and', '          Note: Undone by @operator.\n          Asked and')
    .replace('[Undo] [… Details]', '[… Details]');
}
