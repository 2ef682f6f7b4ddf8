/** Posts events to addresses that admins named. The engine does not know HTTP. */
export interface EventPoster {
  /** Why no event may be posted there; undefined if one may. */
  readonly whyNot: (url: string) => string | undefined;
  /** Returns the status of the answer; rejects without one. */
  readonly post: (url: string, headers: Readonly<Record<string, string>>, body: string) => Promise<number>;
}
