import { within } from '../core/async/within.ts';
import type { FormOption } from '../core/view/form.ts';
import type { Text, View } from '../core/view/view.ts';

/** The longest wait of a message for the names in its notification. */
const waitMs = 2_000;

const hasGroup = (text: Text): boolean =>
  typeof text !== 'string' && text.some((span) => typeof span !== 'string' && 'group' in span);

/**
 * Replaces user groups in a notification by their names: a mention would notify the whole group, and people cannot read
 * an id. In blocks Slack shows the group itself.
 */
export function createGroupNames(groups: () => Promise<readonly FormOption[]>): (view: View) => Promise<View> {
  return async (view) => {
    if (typeof view.summary === 'string' || !hasGroup(view.summary)) return view;
    const read = await within(groups(), waitMs);
    if (read.kind !== 'done') return view;
    const names = new Map(read.value.map(({ value, label }) => [value, label]));
    const summary = view.summary.map((span) =>
      typeof span !== 'string' && 'group' in span ? (names.get(span.group) ?? span) : span,
    );
    return { ...view, summary };
  };
}
