import type { Story } from './story.ts';

// Earlier versions of zones, and their restoration.

export const zoneHistory: readonly Story[] = [
  {
    name: 'the history of a zone names who changed what, and one name is restored from it',
    tell: async (it) => {
      await it.confirmed('dns set seven.example www A 192.0.2.20 ttl=300');
      await it.sees('www.seven.example A is 192.0.2.20; the zone has it');
      await it.settle();
      const zone = () => it.provider.state().domains.find(({ name }) => name === 'seven.example')?.entries ?? [];
      const www = zone().find(({ host }) => host === 'www');
      it.provider.records({ domain: 'seven.example', set: [{ id: www?.id ?? 0, value: '192.0.2.66' }] });
      await it.say('operator', 'dns history seven.example');
      await it.sees(`
        (only visible to @operator) @hostler: History of seven.example
          Who | What | When
          by hand | www A 192.0.2.20 → 192.0.2.66 | v3 · ‹date›
          @operator | www A 203.0.113.150 → 192.0.2.20 | v2 · ‹date› · ‹id›
          – | the first reading | v1 · ‹date›
          2 changes · the oldest version is v1, read ‹date›
          [Show ▾]
          [Restore… ▾]
          [… Share here | Refresh]`);
      await it.say('operator', 'dns diff seven.example v1');
      await it.sees(`
        (only visible to @operator) @hostler: seven.example
          \`\`\`
          − www  A  203.0.113.150  ttl 300
          + www  A  192.0.2.66     ttl 300
          \`\`\`
          2 lines · v1, ‹date› → v3, ‹date› by hand after ‹date›
          [Restore v1…] [Zone file of v1] [History] [… Share here | Refresh]`);
      await it.confirmed('dns restore seven.example v1 www');
      await it.sees('✅ Put www of seven.example back to v1 · done in ‹time›');
      await it.sees('www.seven.example A is 203.0.113.150; the zone has it.');
    },
  },
  {
    name: 'a whole zone is restored to a time, although a record changes between the question and the answer',
    tell: async (it) => {
      await it.say('operator', 'dns history eight.example');
      it.provider.records({ domain: 'eight.example', add: [{ host: 'evil', type: 'A', value: '192.0.2.66' }] });
      await it.say('operator', 'dns restore eight.example v1');
      it.provider.records({ domain: 'eight.example', add: [{ host: 'worse', type: 'A', value: '192.0.2.67' }] });
      await it.press('lead', 'Approve');
      await it.sees('changed');
      await it.say('operator', 'dns restore eight.example v1');
      await it.press('lead', 'Approve');
      await it.sees('read back');
      await it.settle();
      await it.say('operator', 'dns restore eight.example 2020-01-01');
      await it.sees('Nothing so old is known about eight.example. The oldest version is v1, read ');
      await it.say('operator', 'dns restore eight.example v1 wwww');
      await it.sees('eight.example never had a record of the name wwww');
      await it.sees('Did you mean www?');
      await it.say('operator', 'dns restore eight.example v99');
      await it.sees('eight.example has no version v99 yet. The newest is ');
      await it.say('operator', 'dns restore eight.example v1');
      await it.sees('eight.example is as in v1 already.');
    },
  },
  {
    name: 'an earlier version of a zone is a file, and a person without a right gets no history',
    tell: async (it) => {
      await it.say('operator', 'dns list nine.example');
      await it.say('guest', 'dns history nine.example');
      await it.sees('You may not use `/host dns history`');
      await it.say('operator', 'dns zone nine.example at=v1');
      await it.sees('Zone file of nine.example as in v1, read ');
    },
  },
];
