/** The result of a turn: it is over, or the runner waits to be woken, at most so long. */
export type Turn = { readonly isOver: true } | { readonly isOver: false; readonly waitMs: number };
