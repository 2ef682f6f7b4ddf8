import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ok, type ProviderAnswer } from './answer.ts';
import type { RawBody } from './call.ts';
import { type ProviderControl, simInputs } from './sim.ts';

/*
 * The control API under /_sim/: everything `Sim` can do, over HTTP. It has no key, so it answers this machine only, and
 * never a page in a browser.
 */

type Control = (sim: ProviderControl, data: unknown) => unknown;

const controls: Record<string, Control> = {
  'GET state': (sim) => sim.state(),
  'GET requests': (sim) => sim.requests(),
  'DELETE requests': (sim) => sim.clearRequests(),
  'POST fault': (sim, data) => ({ id: sim.fault(simInputs.fault.parse(data)) }),
  'DELETE faults': (sim, data) => sim.clearFaults(simInputs.faults.parse(data)),
  'POST advance': (sim, data) => sim.advance(simInputs.advance.parse(data).ms),
  'POST records': (sim, data) => sim.records(simInputs.records.parse(data)),
  'POST power': (sim, data) => sim.power(simInputs.power.parse(data)),
  'POST jobs': (sim, data) => sim.jobs(simInputs.jobs.parse(data)),
  'POST job': (sim, data) => sim.job(simInputs.job.parse(data)),
  'POST order': (sim, data) => sim.order(simInputs.order.parse(data)),
  'POST renew': (sim, data) => sim.renew(simInputs.renew.parse(data)),
  'POST balance': (sim, data) => sim.balance(simInputs.balance.parse(data)),
  'POST features': (sim, data) => sim.features(simInputs.features.parse(data)),
  'POST reset': (sim, data) => {
    const { seed } = simInputs.reset.parse(data);
    sim.reset(seed === undefined ? {} : { seed });
  },
};

export function answerControl(
  sim: ProviderControl,
  request: IncomingMessage,
  path: string,
  body: RawBody,
): ProviderAnswer {
  if (!isLoopback(request.socket.remoteAddress) || request.headers.origin !== undefined) {
    return refusal(403, 'The control API answers programs on this machine only.');
  }
  const control = controls[`${request.method} ${path.replace(/^\/_sim\//, '').replace(/\/$/, '')}`];
  if (!control) return refusal(404, `There is no such control. There are: ${Object.keys(controls).join(', ')}.`);
  try {
    return ok(control(sim, body.bytes.length === 0 ? {} : JSON.parse(body.bytes.toString('utf8'))) ?? { ok: true });
  } catch (error) {
    if (error instanceof z.ZodError) return refusal(400, z.prettifyError(error));
    return refusal(400, error instanceof Error ? error.message : String(error));
  }
}

const refusal = (status: number, error: string): ProviderAnswer => ({ status, body: { error } });

const isLoopback = (address = '') => /^(::ffff:)?127\./.test(address) || address === '::1';
