import type { FormOption } from '../../core/view/form.ts';
import { readAlert } from '../alerts/records.ts';
import type { AnyAlertRule } from '../context/alerts-port.ts';
import type { EngineContext } from '../context/engine-context.ts';

/** Slack's limit of options in a list. */
const mostOptions = 100;

type Source = (context: EngineContext, channel: string) => Promise<readonly FormOption[]>;

/** Options of the forms about alerts, by source: the bot's own rules, and the channel's hooks. */
export const alertSources: Readonly<Record<string, Source>> = {
  'alert-rules': async ({ alerts }) => alerts.rules.map(optionOf),
  'alert-rules-or-all': async ({ alerts }) => [all, ...alerts.rules.map(optionOf)],
  'alert-rules-here': async ({ alerts }, channel) => {
    const wanted = (await alerts.subscriptions.get(channel))?.rules ?? {};
    return [all, ...alerts.rules.filter(({ name }) => wanted[name] !== undefined).map(optionOf)];
  },
  'alerts-here': async ({ store }, channel) =>
    (await store.alerts.listOpen({ channel, limit: mostOptions }))
      .map(readAlert)
      .filter(({ finding }) => !finding.isNews)
      .map(({ id, finding }) => ({ value: id, label: finding.title })),
  'alert-hooks': async ({ store }, channel) =>
    (await store.hooks.list(channel)).map(({ id, kind, name }) => ({
      value: id,
      label: name,
      description: `${kind} · ${id}`,
    })),
};

const all: FormOption = { value: 'all', label: 'all', description: 'every one of them' };

function optionOf({ name, title }: AnyAlertRule): FormOption {
  return { value: name, label: name, description: title };
}
