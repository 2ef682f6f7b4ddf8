import { approvals } from './approvals.ts';
import { changed } from './changed.ts';
import { commands } from './commands.ts';
import { dns } from './dns.ts';
import { endings } from './endings.ts';
import type { Story } from './story.ts';
import { zoneHistory } from './zone-history.ts';

export const stories: readonly Story[] = [...endings, ...changed, ...approvals, ...commands, ...dns, ...zoneHistory];
