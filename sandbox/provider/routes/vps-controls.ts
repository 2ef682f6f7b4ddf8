import { noSuch, ok } from '../answer.ts';
import { presentJob, startJob } from '../jobs.ts';
import { createPassword } from '../password.ts';
import { defineRoute } from '../router.ts';
import { findVps, integerIn } from './find.ts';

const verbs = ['start', 'stop', 'restart', 'rescue_mode', 'stop_rescue_mode', 'hard_reset'] as const;

export const vpsControlRoutes = [
  defineRoute('GET /vps/{order_id}/status/', ({ provider, params }) =>
    ok({ status: findVps(provider, params.order_id).vps.power }),
  ),
  ...verbs.map((verb) =>
    defineRoute(`POST /vps/{order_id}/${verb}/`, ({ provider, params, route }) =>
      ok(presentJob(startJob(provider, findVps(provider, params.order_id), verb, route))),
    ),
  ),
  defineRoute('POST /vps/{order_id}/passwd_reset/', ({ provider, params, route }) => {
    const order = findVps(provider, params.order_id);
    const job = startJob(provider, order, 'passwd_reset', route);
    order.vps.password = createPassword();
    return ok({ passwd: order.vps.password, resp_id: job.pk });
  }),
  defineRoute('GET /vps/{order_id}/log_details/{log_id}/', ({ provider, params }) => {
    const order = findVps(provider, params.order_id);
    const job = provider.state.jobs.get(integerIn(params.log_id));
    if (job?.orderId !== order.id) throw noSuch('OrderLog');
    return ok(presentJob(job));
  }),
];
