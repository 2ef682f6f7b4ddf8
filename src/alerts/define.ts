import { type AlertDefinition, type AlertRule, closeAlert } from '../core/alert/alert.ts';
import type { Reader } from '../provider/client.ts';

/** A rule: it only reads. */
export function defineAlert<F>(definition: AlertDefinition<F, Reader>): AlertRule<Reader> {
  return closeAlert(definition);
}
