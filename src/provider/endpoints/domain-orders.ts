import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { orderId } from './shapes.ts';

export const domainOrders = {
  changeNs: {
    route: 'POST /dns/order/{order_id}/change_ns/',
    effect: 'write',
    // A comma-separated string: 'ns1.example.com,ns2.example.com'.
    input: z.strictObject({ order_id: orderId, nss: z.string().min(1) }),
    output: z.object({ nss: z.string() }),
  },
} as const satisfies Area;
