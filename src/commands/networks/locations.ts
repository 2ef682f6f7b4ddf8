import { count } from '../../core/text/words.ts';
import type { Row } from '../../core/view/view.ts';
import { buttonRow } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { page, paged } from '../orders/page.ts';

export const netLocations = defineQuery({
  path: 'net locations',
  isBehind: true,
  title: 'Network locations',
  summary: 'List where servers can be connected to the private network',
  examples: ['net locations', 'net locations page:1'],
  args: { page },
  capability: 'read',
  visibility: 'channel',
  run: async ({ page }, { reader }) => {
    const all = await reader.privateNetworks.locations();
    if (all.length === 0) {
      const none = 'The provider names no location with private networks.';
      return { summary: none, parts: [{ kind: 'text', text: none }] };
    }
    const sorted = all.toSorted((a, b) => a.location.label.localeCompare(b.location.label));
    const shown = paged(sorted, page, { row: rowOf, lineOf: (to) => `net locations page:${to}` });
    const totals = count(all.length, 'location');
    return {
      summary: totals,
      parts: [
        {
          kind: 'table',
          columns: [{ name: 'Place' }, { name: 'Code' }],
          rows: shown.rows.map(rowOf),
        },
        { kind: 'context', text: `${totals}${shown.note}` },
        ...buttonRow(shown.buttons),
      ],
      ...shown.more,
    };
  },
});

function rowOf({ location }: { readonly location: { readonly label: string; readonly value: string } }): Row {
  return [location.label || location.value, location.value];
}
