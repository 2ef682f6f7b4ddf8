export interface SimTemplate {
  readonly id: number;
  readonly name: string;
  readonly os: string;
  readonly panel: string | null;
  readonly arch: string | null;
  readonly min_storage_space: number | null;
  readonly min_ram_volume: number | null;
  readonly min_cpu_cores: number | null;
}

/** A provider's number, or its decimal text. */
type Decimal = number | string;

export interface BandwidthTariff {
  readonly min_value: Decimal;
  readonly max_value: Decimal;
  readonly step: Decimal;
  readonly price: Decimal;
  readonly unit: string;
}

export interface SimPlan {
  readonly id: number;
  readonly name: string;
  readonly cpu_count: number;
  readonly ram: string;
  readonly disk: string;
  readonly price: number;
  readonly disk_class: { readonly id: number } | null;
}

interface SimLocation {
  readonly value: string;
  readonly label: string;
  readonly bandwidth_tariff: BandwidthTariff | null;
  readonly disabled_by_slots: boolean;
}

/** The plans and catalogs, as the API sends them. The types name the fields that the simulation uses itself. */
export interface ProviderOffer {
  readonly vpsPlans: readonly SimPlan[];
  readonly dedicatedPlans: readonly object[];
  readonly hostingPlans: readonly object[];
  readonly backupPlans: readonly object[];
  readonly templates: readonly SimTemplate[];
  readonly apps: readonly { readonly id: number; readonly name: string; readonly os: string }[];
  readonly locations: readonly SimLocation[];
  readonly diskClasses: readonly { readonly id: number; readonly price_per_gb: Decimal }[];
  readonly services: readonly { readonly id: number; readonly price: Decimal; readonly billing_type: string }[];
  readonly networkLocations: readonly {
    readonly id: number;
    readonly location: { readonly value: string; readonly label: string };
  }[];
}
