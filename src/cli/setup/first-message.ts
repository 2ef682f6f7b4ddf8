import { buttonRow, runButton, type View } from '../../core/view/view.ts';

/** A channel's first message: the bot works, and the first commands to try. */
export function firstMessage({ account, means }: { account: string; means: string }): View {
  return {
    summary: 'Hostler is connected to this channel.',
    parts: [
      { kind: 'heading', text: 'Hostler is connected to this channel' },
      {
        kind: 'text',
        text: [
          'Servers, orders and DNS of ',
          { bold: account },
          ' are run from here. Type ',
          { code: '/host' },
          ' for a menu of what you may do, or ',
          { code: '/host list' },
          ' for the servers.',
        ],
      },
      { kind: 'context', text: means },
      ...buttonRow([
        { ...runButton('Servers', 'list'), style: 'primary' },
        runButton('Who may do what', 'access'),
        runButton('Help', 'help'),
      ]),
    ],
  };
}
