import type { AlertRule } from '../core/alert/alert-rule.ts';
import type { Reader } from '../provider/client.ts';
import { answers } from './answers.ts';
import { apiKey } from './api-key.ts';
import { apiUnreachable } from './api-unreachable.ts';
import { balance } from './balance.ts';
import { cancelMark } from './cancel-mark.ts';
import { expiring } from './expiring.ts';
import { invoices } from './invoices.ts';
import { job } from './job.ts';
import { newServer } from './new-server.ts';
import { orderStatus } from './order-status.ts';
import { power } from './power.ts';
import { reverseDns } from './reverse-dns.ts';
import { storageSpace } from './storage-space.ts';
import { traffic } from './traffic.ts';
import { unreadable } from './unreadable.ts';
import { zone } from './zone.ts';

/** All alert rules, in the order shown to people. */
export const alertRules: readonly AlertRule<Reader>[] = [
  balance,
  invoices,
  expiring,
  orderStatus,
  cancelMark,
  power,
  answers,
  job,
  traffic,
  zone,
  storageSpace,
  reverseDns,
  newServer,
  unreadable,
  apiKey,
  apiUnreachable,
];
