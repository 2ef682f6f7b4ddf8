import { count } from '../../core/text/words.ts';
import { says } from '../../core/view/view.ts';
import type { EngineContext } from './engine-context.ts';

const hourMs = 3_600_000;

/**
 * Posts the head of the audit to the audit channel once a day. A person with write access to the database can cut or
 * replace the audit; Slack keeps the proof.
 */
export function createAuditWitness(context: EngineContext): { start: () => Promise<void>; stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  const once = async (): Promise<void> => {
    const channel = context.settings.auditChannel;
    if (channel === undefined) return;
    const day = new Date(context.now()).toISOString().slice(0, 10);
    const key = `audit-end:${day}`;
    if ((await context.store.messages.find(key)) !== undefined) return;
    const { seq, hash } = await context.store.audit.head();
    const installation = await context.store.audit.installation();
    if (installation === undefined) return;
    const view = says([
      `The audit of installation ${installation.id} has ${count(seq, 'row')} on `,
      { date: context.now(), style: 'day' },
      '. To check later that none of them was changed: ',
      { code: `hostler audit verify --since ${seq}:${hash}` },
    ]);
    await context.outbox.put({ key, channel, view });
  };
  const onceOrNote = () =>
    once().catch((error: unknown) => context.log.warn({ err: error }, 'could not post the head of the audit'));
  return {
    start: () => {
      timer = setInterval(() => void onceOrNote(), hourMs);
      timer.unref();
      return onceOrNote();
    },
    stop: () => clearInterval(timer),
  };
}
