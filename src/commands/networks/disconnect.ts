import { defineAction } from '../define.ts';
import { connection, planConnection } from './connection.ts';

export const netDisconnect = defineAction({
  ...connection,
  path: 'net disconnect',
  title: 'Disconnect a server',
  summary: 'Disconnect a server from the private network',
  examples: ['net disconnect web-1', 'net disconnect db-1'],
  plan: ({ server }, context) => planConnection('off', server, context),
});
