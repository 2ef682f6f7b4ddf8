import { ok } from '../answer.ts';
import { startJob } from '../jobs.ts';
import { paginated } from '../paginate.ts';
import { presentSnapshot } from '../present.ts';
import { defineRoute } from '../router.ts';
import { findImage, imageSlots, runsOn } from '../software.ts';
import { offsetDate } from '../time.ts';
import { validate } from '../validate.ts';
import { findVps } from './find.ts';

const asItIs = <T>(item: T) => item;

export const reinstallRoutes = [
  defineRoute('GET /vps/{order_id}/reinstall/templates/', (call) => {
    const { configuration } = findVps(call.provider, call.params.order_id).vps;
    const fitting = call.provider.state.offer.templates.filter((template) => runsOn(template, configuration));
    return paginated(call, fitting, asItIs);
  }),
  defineRoute('GET /vps/{order_id}/reinstall/apps/', (call) => {
    findVps(call.provider, call.params.order_id);
    return paginated(call, call.provider.state.offer.apps, asItIs);
  }),
  defineRoute('GET /vps/{order_id}/reinstall/snapshots/', (call) => {
    findVps(call.provider, call.params.order_id);
    return paginated(call, [...call.provider.state.snapshots.values()], presentSnapshot);
  }),
  defineRoute('POST /vps/{order_id}/reinstall/reinstall/', ({ provider, params, data, route }) => {
    const order = findVps(provider, params.order_id);
    const image = findImage(provider, validate(data(), imageSlots(provider)), order.vps.configuration);
    const job = startJob(provider, order, 'reinstall', route, image.name);
    return ok({ display_name: image.name, status: job.state, date: offsetDate(job.startedAt) });
  }),
];
