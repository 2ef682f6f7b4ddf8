import type { Order } from '../../core/account/account.ts';
import { onItButton } from '../../core/alert/on-it-button.ts';
import type { ReadContext } from '../../core/command/command.ts';
import { severitySigns } from '../../core/view/signs.ts';
import { buttonRow, runButton, type ViewPart } from '../../core/view/view.ts';

const mostNamed = 3;

/** The open alerts about these orders, with the person who is on each, or the button to be that person. */
export async function openAlertsOn(orders: readonly Order[], { bot }: Pick<ReadContext, 'bot'>): Promise<ViewPart[]> {
  const alerts = await bot.alerts.open();
  const ids = new Set(orders.map(({ id }) => id));
  const own = alerts.filter(({ finding: { target } }) => target.kind === 'order' && ids.has(target.id));
  const parts = own.slice(0, mostNamed).map(async (alert): Promise<ViewPart[]> => {
    const { severity, finding, openedAt, byUser, state } = alert;
    const name = byUser === null ? 'nobody' : await bot.nameOf(byUser);
    const words = state === 'snoozed' ? `snoozed by ${name}` : `${name} is on it`;
    const title = `${severitySigns[severity]} ${finding.title} · since `;
    return [
      { kind: 'text', text: [title, { date: openedAt, style: 'full' }, ` · ${words}`] },
      ...(state === 'open' ? buttonRow([onItButton(alert.id)]) : []),
    ];
  });
  const more = own.length - mostNamed;
  return [
    ...(await Promise.all(parts)).flat(),
    ...(more > 0 ? buttonRow([runButton(`${more} more`, 'alerts list')]) : []),
  ];
}
