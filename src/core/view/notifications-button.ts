import type { Button } from './view.ts';

/** Opens the dialog in which the person who clicks chooses what notifies them. */
export const notificationsButton: Button = {
  label: 'Notifications…',
  intent: { do: 'notifications' },
  opens: true,
};
