/** What the carrier does after a turn: nothing more, or wait for a wake-up, at most so long. */
export type Turn = { readonly isOver: true } | { readonly isOver: false; readonly waitMs: number };
