import type { Section } from '../measure.ts';
export const growth: Section = { name: 'growth', title: 'growth', run: async () => [] };
