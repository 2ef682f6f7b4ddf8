import { z } from 'zod';
import type { Area } from '../endpoint.ts';
import { id, orderId, pageSize, text } from './shapes.ts';
import { app, snapshot, template } from './vps-orders.ts';

const imageList = z.strictObject({ order_id: orderId, page_size: pageSize });

const reinstalled = z.object({ display_name: text, status: text, date: text });

export const reinstall = {
  templates: {
    route: 'GET /vps/{order_id}/reinstall/templates/',
    effect: 'read',
    input: imageList,
    output: template,
    paginated: true,
  },
  apps: {
    route: 'GET /vps/{order_id}/reinstall/apps/',
    effect: 'read',
    input: imageList,
    output: app,
    paginated: true,
  },
  snapshots: {
    route: 'GET /vps/{order_id}/reinstall/snapshots/',
    effect: 'read',
    input: imageList,
    output: snapshot,
    paginated: true,
  },
  run: {
    route: 'POST /vps/{order_id}/reinstall/reinstall/',
    effect: 'write',
    input: z
      .strictObject({ order_id: orderId, template: id.optional(), app: id.nullish(), snapshot: id.nullish() })
      .refine(
        (body) =>
          [body.template, body.app ?? undefined, body.snapshot ?? undefined].filter(Number.isInteger).length === 1,
        {
          error: 'exactly one of template, app and snapshot is installed',
        },
      ),
    output: reinstalled,
  },
} as const satisfies Area;
