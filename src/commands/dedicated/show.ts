import { order } from '../../core/command/args.ts';
import { defineQuery } from '../define.ts';
import { dedicatedCard } from './card.ts';

export const dsShow = defineQuery({
  path: 'ds show',
  title: 'Dedicated server',
  summary: 'Show one dedicated server with its hardware',
  examples: ['ds show files-1', 'ds show 34-1000101'],
  args: { server: order({ hint: 'A dedicated server.', example: 'files-1', kinds: ['ds'], place: 'rest' }) },
  capability: 'read',
  visibility: 'money',
  run: ({ server }, context) => dedicatedCard(server, context, 'person'),
});
