import type { Button } from './view.ts';

/** Opens the dialog of the clicking person's notifications. */
export const notificationsButton: Button = {
  label: 'Notifications…',
  intent: { do: 'notifications' },
  opens: true,
};
