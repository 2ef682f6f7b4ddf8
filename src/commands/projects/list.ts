import { accountTarget, type Order, orderTarget, type Project, projectTarget } from '../../core/account/account.ts';
import { count, money } from '../../core/text/words.ts';
import { dotted, type Row } from '../../core/view/view.ts';
import { buttonRow, formButton } from '../buttons.ts';
import { defineQuery } from '../define.ts';
import { costOf } from '../orders/fresh.ts';
import { page, paged } from '../orders/page.ts';
import { leftOut } from '../unreadable.ts';

export const projectList = defineQuery({
  path: 'project list',
  title: 'Projects',
  summary: 'List the projects, with their orders and costs',
  examples: ['project list', 'project list page:1'],
  args: { page },
  capability: 'read',
  visibility: 'money',
  run: async ({ page }, { reader, account, currency: readCurrency, may }) => {
    const [all, whole, currency] = await Promise.all([reader.projects.list(), account(), readCurrency()]);
    const orders = whole.orders.filter((order) => may('read', orderTarget(order)));
    const matches = all
      .filter((project) => may('read', projectTarget(project)))
      .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
    const create = may('organize', accountTarget) ? [formButton('New project…', 'project create')] : [];
    if (matches.length === 0) {
      const none = 'There is no project that you may see here.';
      return { summary: none, parts: [{ kind: 'text', text: none }, ...buttonRow(create)] };
    }
    const row = (project: Project): Row => {
      const own = ordersIn(project.id, orders);
      return [
        dotted([`${project.name} (${project.id})`, project.comment]),
        String(own.length),
        money(costOf(own), currency),
      ];
    };
    const shown = paged(matches, page, { row, lineOf: (to) => `project list page:${to}` });
    const totals = count(matches.length, 'project');
    return {
      summary: totals,
      parts: [
        ...leftOut(whole, 'project', may),
        {
          kind: 'table',
          columns: [{ name: 'Name' }, { name: 'Orders', align: 'right' }, { name: 'A month', align: 'right' }],
          rows: shown.rows.map(row),
        },
        { kind: 'context', text: `${totals} · ${count(ordersIn(null, orders).length, 'order')} in none${shown.note}` },
        ...buttonRow([...shown.buttons, ...create]),
      ],
      ...shown.more,
    };
  },
});

/** The orders of a project, without canceled ones. */
export function ordersIn(project: number | null, orders: readonly Order[]): readonly Order[] {
  return orders.filter((order) => order.status !== 'canceled' && (order.project?.id ?? null) === project);
}
