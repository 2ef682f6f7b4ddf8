import { defineAction } from '../define.ts';
import { connection, planConnection } from './connection.ts';

export const netConnect = defineAction({
  ...connection,
  path: 'net connect',
  title: 'Connect a server',
  summary: 'Connect a server to the private network',
  examples: ['net connect web-1', 'net connect db-1'],
  plan: ({ server }, context) => planConnection('on', server, context),
});
