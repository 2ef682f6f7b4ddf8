import type { Text } from '../core/view/view.ts';

/** `Read today 4:28`, in each reader's time zone, since messages are read again hours later. */
export function withReadAt(words: string, readAt: number): Text {
  return [`${words === '' ? 'Read ' : `${words} · read `}`, { date: readAt, style: 'full' }];
}
