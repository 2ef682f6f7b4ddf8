import { z } from 'zod';
import { ifReadable } from '../../core/view/errors.ts';
import { dotted } from '../../core/view/view.ts';
import { defineAction } from '../define.ts';
import { jobOf, oneVirtualServer, planOneServer, sameServer, serverStep } from './power.ts';

export const password = defineAction({
  path: 'password',
  words: `passwd | password · root password · passwd · login · pw · root pw · credential | reset password · change
    password · give password · need password · new password · forgot password · password of · new pw · new root pw ·
    fresh password · fresh root password · forget password · new credential · new login · reset pw · reset passwd ·
    root login · locked out · rotate root · rotate password · rotate credential · regenerate login · regenerate
    password`,
  title: 'Reset a root password',
  summary: 'Replace the root password of a server; the new one is shown once to the person who asks',
  examples: ['password web-1', 'password 34-12345'],
  args: { server: oneVirtualServer },
  capability: 'secrets',
  risk: 'dangerous',
  step: serverStep,
  plan: async ({ server }, context) => {
    const { plan, state } = await planOneServer(server, context);
    return {
      ...plan,
      title: `Reset the root password of ${server.label}`,
      act: `Reset password of ${server.label}`,
      effect: 'The provider replaces the root password by a new one. The old one no longer works.',
      glance: dotted([state, 'the old password no longer works', 'the new one is shown once, to the person who asks']),
      details: [['Shown', 'Once, in a direct message, only to the person who asks. It is stored nowhere.']],
    };
  },
  recheckTarget: sameServer,
  execute: async ({ id, name }, { provider }) => {
    const { passwd, resp_id } = await provider.vps.passwdReset({ order_id: id });
    return {
      text: `job ${resp_id}`,
      data: { jobId: resp_id },
      secret: { title: `The new root password of ${name}`, value: passwd },
    };
  },
  follow: (step, receipt) => jobOf(step, receipt, 'passwd_reset'),
  // A password cannot be read back: only its job can be checked.
  verify: async (step, { reader }, receipt) => {
    const job = z.object({ jobId: z.number() }).safeParse(receipt?.data).data;
    if (job === undefined) return lost(step.name);
    const read = await ifReadable(reader.vps.logDetails({ order_id: step.id, log_id: job.jobId }));
    if (read === undefined) return { is: 'unsure', text: "the provider's job could not be read" };
    if (read.job_state === 'done') return { is: 'so', text: "the provider's job is done" };
    if (read.job_state === 'error') return { is: 'not', text: "the provider's job ended in error" };
    return { is: 'unsure', text: "the provider's job has not ended" };
  },
  reconcile: async (step) => lost(step.name),
  done: ([step]) => ({ text: `root password of ${step.label} replaced` }),
});

function lost(name: string) {
  return {
    is: 'unsure',
    text: `whether the root password of ${name} was replaced cannot be read; if none was sent to you, asking again makes one that is known`,
  } as const;
}
