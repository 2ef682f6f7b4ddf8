import { type AlertDefinition, type AlertRule, closeAlert } from '../core/alert/alert.ts';
import type { Reader } from '../provider/client.ts';

/** Defines an alert rule, which only reads. */
export function defineAlert<F>(definition: AlertDefinition<F, Reader>): AlertRule<Reader> {
  return closeAlert(definition);
}
