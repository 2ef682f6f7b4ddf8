import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ok, type ProviderAnswer } from './answer.ts';
import type { RawBody } from './call.ts';
import { type ProviderControl, simInputs } from './sim.ts';

/*
 * The control API under /_sim/: the functions of `ProviderControl` over HTTP. It has no key, so it answers only
 * programs on this machine, and never a page in a browser.
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
  'POST ticket': async (sim, data) => sim.ticket(simInputs.ticket.parse(data)),
  'POST sshKey': (sim, data) => ({ id: sim.sshKey(simInputs.sshKey.parse(data)) }),
  'POST renew': (sim, data) => sim.renew(simInputs.renew.parse(data)),
  'POST balance': (sim, data) => sim.balance(simInputs.balance.parse(data)),
  'POST features': (sim, data) => sim.features(simInputs.features.parse(data)),
  'POST reset': (sim, data) => {
    const { seed } = simInputs.reset.parse(data);
    sim.reset(seed === undefined ? {} : { seed });
  },
};

/**
 * The reason to refuse a request. Pages in a browser are recognized by the headers that browsers add, DNS rebinding by
 * the Host, and requests that browsers send without a preflight by the content type.
 */
function refused({ headers, socket }: IncomingMessage, body: RawBody): string | undefined {
  const own = ['127.0.0.1', 'localhost', '[::1]'].map((host) => `${host}:${socket.localPort}`);
  if (!isLoopback(socket.remoteAddress)) return 'it answers this machine only';
  if (headers.host === undefined || !own.includes(headers.host)) return `the Host must be ${own.join(' or ')}`;
  if (headers.origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'it does not answer browsers';
  if (body.bytes.length > 0 && !/^application\/json(;|$)/.test(body.contentType))
    return 'it takes application/json only';
  return undefined;
}

export async function answerControl(
  sim: ProviderControl,
  request: IncomingMessage,
  path: string,
  body: RawBody,
): Promise<ProviderAnswer> {
  const why = refused(request, body);
  if (why !== undefined) return refusal(403, `The control API refuses this request: ${why}.`);
  const control = controls[`${request.method} ${path.replace(/^\/_sim\//, '').replace(/\/$/, '')}`];
  if (!control) return refusal(404, `There is no such control. There are: ${Object.keys(controls).join(', ')}.`);
  try {
    const data: unknown = body.bytes.length === 0 ? {} : JSON.parse(body.bytes.toString('utf8'));
    return ok((await control(sim, data)) ?? { ok: true });
  } catch (error) {
    if (error instanceof z.ZodError) return refusal(400, z.prettifyError(error));
    return refusal(400, error instanceof Error ? error.message : String(error));
  }
}

const refusal = (status: number, error: string): ProviderAnswer => ({ status, body: { error } });

const isLoopback = (address = '') => /^(::ffff:)?127\./.test(address) || address === '::1';
