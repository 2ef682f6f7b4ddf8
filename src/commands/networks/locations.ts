import { count } from '../../core/text/words.ts';
import { defineList } from '../list.ts';

export const netLocations = defineList({
  path: 'net locations',
  isBehind: true,
  title: 'Network locations',
  summary: 'List where servers can be connected to the private network',
  examples: ['net locations', 'net locations page:1'],
  args: {},
  capability: 'read',
  visibility: 'channel',
  list: async (_, { reader }, show) => {
    const all = await reader.privateNetworks.locations();
    return show({
      all: all.toSorted((a, b) => a.location.label.localeCompare(b.location.label)),
      columns: [{ name: 'Place' }, { name: 'Code' }],
      row: ({ location }) => [location.label || location.value, location.value],
      none: 'The provider names no location with private networks.',
      total: count(all.length, 'location'),
    });
  },
});
