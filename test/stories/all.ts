import { approvals } from './approvals.ts';
import { commands } from './commands.ts';
import { endings } from './endings.ts';
import type { Story } from './story.ts';

export const stories: readonly Story[] = [...endings, ...approvals, ...commands];
