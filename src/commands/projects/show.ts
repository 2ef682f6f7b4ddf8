import { orderTarget, projectTarget } from '../../core/account/account.ts';
import { project } from '../../core/command/args.ts';
import { count, money } from '../../core/text/words.ts';
import { dangerButton, fieldsPart, formButton, runButton, type Text } from '../../core/view/view.ts';
import { defineQuery } from '../define.ts';
import { listView } from '../list.ts';
import { orderList } from '../orders/order-table.ts';
import { costOf, inTroubleFirst } from '../orders/read-order.ts';
import { ordersIn } from './list.ts';

const rowsShown = 20;

export const projectShow = defineQuery({
  path: 'project show',
  title: 'Show a project',
  summary: 'Show one project with its orders',
  examples: ['project show Website', 'project show 2'],
  args: { project: project({ hint: 'A project, by name or id.', example: 'Website', place: 'rest' }) },
  capability: 'read',
  visibility: 'money',
  run: async ({ project: listed }, { reader, account, currency: readCurrency, may, now, bot }) => {
    const [project, { orders }, currency, protectionOf] = await Promise.all([
      reader.projects.read({ id: listed.id }),
      account(),
      readCurrency(),
      bot.protections(),
    ]);
    const own = ordersIn(project.id, orders).filter((order) => may('read', orderTarget(order)));
    const rows = inTroubleFirst(own, now).slice(0, rowsShown);
    const line = `orders project:${project.id}`;
    const logo: Text = project.logo === null ? 'none' : [{ link: project.logo, text: 'picture' }];
    const totals = `${count(own.length, 'order')} · ${money(costOf(own), currency)} a month`;
    const form = (label: string, path: string) => formButton(label, `${path} ${project.id}`);
    const isOver = own.length > rows.length;
    return listView({
      ...orderList({ all: own, currency, now, protectionOf }),
      all: rows,
      instead: '',
      total: `${project.name}: ${totals}`,
      foot: () => (isOver ? `${totals} · the first ${rows.length} are shown` : totals),
      above: [
        { kind: 'heading', text: project.name, aside: `project ${project.id}` },
        ...fieldsPart([
          ['Comment', project.comment],
          ['Logo', logo],
        ]),
      ],
      buttons: [
        ...(isOver ? [runButton('All orders', line)] : []),
        ...(may('organize', projectTarget(project))
          ? [
              form('Edit', 'project edit'),
              form('Add orders', 'project add'),
              form('Logo', 'project logo'),
              dangerButton('Delete…', `project delete ${project.id}`),
            ]
          : []),
      ],
    });
  },
});
