import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { decimal, noInput, text } from './shapes.ts';

const balance = z.object({ balance: decimal, currency: z.string() });
const info = z.object({ email: text, name: text });
const invoices = z.object({ unpaid_invoices_count: z.number(), unpaid_invoices_amount: decimal, currency: z.string() });

export type Balance = z.output<typeof balance>;
export type InvoiceSummary = z.output<typeof invoices>;

export const account = {
  balance: { route: 'GET /account/balance', input: noInput, output: balance },
  info: { route: 'GET /account/info', input: noInput, output: info },
  invoices: { route: 'GET /account/invoices', input: noInput, output: invoices },
} as const satisfies Area;
