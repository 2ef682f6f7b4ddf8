import { accountTarget, type Order, orderTarget, projectTarget } from '../../core/account/account.ts';
import { project } from '../../core/command/args.ts';
import { byNumbers, count, money } from '../../core/text/words.ts';
import { dangerButton, dotted, fieldsPart, formButton, runButton, type Text } from '../../core/view/view.ts';
import { defineList, defineQuery, listView, moneyRead } from '../define.ts';
import { leftOut } from '../left-out.ts';
import { orderList } from '../orders/list.ts';
import { costOf, inTroubleFirst } from '../orders/read-order.ts';

export const projectList = defineList({
  path: 'project list',
  words: '| project · proj | project exist · name of project · list project · all project · projects we have',
  title: 'Projects',
  summary: 'List the projects, with their orders and costs',
  ...moneyRead,
  list: async (_, { reader, account, currency, may }, show) => {
    const [all, whole, inCurrency] = await Promise.all([reader.projects.list(), account(), currency()]);
    const orders = whole.orders.filter((order) => may('read', orderTarget(order)));
    const matches = all.filter((project) => may('read', projectTarget(project)));
    const total = count(matches.length, 'project');
    return show({
      all: matches.toSorted((a, b) => byNumbers(a.name, b.name)),
      columns: [{ name: 'Name' }, { name: 'Orders', align: 'right' }, { name: 'A month', align: 'right' }],
      row: ({ name, id, comment }) => {
        const own = ordersIn(id, orders);
        return [dotted([`${name} (${id})`, comment]), String(own.length), money(costOf(own), inCurrency)];
      },
      none: 'There is no project that you may see here.',
      total,
      foot: (note) => `${total} · ${count(ordersIn(null, orders).length, 'order')} in none${note}`,
      above: leftOut(whole, 'project', may),
      buttons: may('organize', accountTarget) ? [formButton('New project…', 'project create')] : [],
    });
  },
});

/** The orders of a project, without canceled ones. */
export function ordersIn(project: number | null, orders: readonly Order[]): readonly Order[] {
  return orders.filter((order) => order.status !== 'canceled' && (order.project?.id ?? null) === project);
}

const rowsShown = 20;

export const projectShow = defineQuery({
  path: 'project show',
  words: `| project · proj | what is in project · in the project · project detail · inside project · belong to
    project · in proj · open project · describe project`,
  title: 'Show a project',
  summary: 'Show one project with its orders',
  examples: ['project show Website', 'project show 2'],
  args: { project: project({ hint: 'A project, by name or id.', example: 'Website', place: 'rest' }) },
  ...moneyRead,
  run: async ({ project: listed }, context) => {
    const { reader, account, may } = context;
    const [project, { orders }, currency] = await Promise.all([
      reader.projects.read({ id: listed.id }),
      account(),
      context.currency(),
    ]);
    const own = ordersIn(project.id, orders).filter((order) => may('read', orderTarget(order)));
    const rows = inTroubleFirst(own, context.now).slice(0, rowsShown);
    const line = `orders project:${project.id}`;
    const logo: Text = project.logo === null ? 'none' : [{ link: project.logo, text: 'picture' }];
    const totals = `${count(own.length, 'order')} · ${money(costOf(own), currency)} a month`;
    const form = (label: string, path: string) => formButton(label, `${path} ${project.id}`);
    const isOver = own.length > rows.length;
    return listView({
      ...(await orderList(own, context)),
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
