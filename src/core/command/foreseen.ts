/** The state after a step that has not run yet, as far as a later line of the same plan reads it. */
export type Foreseen =
  | { readonly kind: 'power'; readonly order: string; readonly power: 'off' | 'on' }
  | {
      readonly kind: 'record';
      readonly domain: string;
      /** As its command stores it. */
      readonly change: unknown;
      /** `± www.example.com A 192.0.2.10 → 192.0.2.20` */
      readonly label: string;
    };
