// Written by `npm run db:types` from the migrated database; do not edit.
import type { Generated, GeneratedAlways } from 'kysely';

export interface OrderShield {
  id: GeneratedAlways<string>;
  goodsCode: string;
  goodsName: string;
  scope: 'ALL' | 'PRODUCT' | 'REGION' | 'CHANNEL';
  scopeValues: Generated<string[]>;
  scopeWords: string;
  displayText: string;
  reason: string;
  effectiveFrom: string;
  effectiveTo: string | null;
  enabled: Generated<boolean>;
  editorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderShieldValue {
  shieldId: string;
  goodsCode: string;
  scope: string;
  scopeValue: string;
  effectiveFrom: string;
  effectiveTo: string | null;
}

export interface OrderSupplier {
  id: GeneratedAlways<string>;
  supplierCode: string;
  supplierName: string;
  supplierType: 'B2C' | 'DTP' | 'CHAIN' | 'WAREHOUSE';
  drugstoreId: string | null;
  coldChainCapable: boolean;
  contactName: string;
  contactMobileCipher: string;
  contactMobileMasked: string;
  licenseNo: string;
  licenseExpireAt: string;
  licenseFileIds: Generated<string[]>;
  gspExpireAt: string | null;
  expireOn: GeneratedAlways<string>;
  integration: 'API' | 'PORTAL' | 'EXCEL';
  endpoint: Generated<string>;
  appKey: Generated<string>;
  secretCipher: string | null;
  dailyCapacity: number | null;
  cutoffTime: string | null;
  acceptSlaMin: number;
  shipSlaHour: number;
  freightFirstFen: string;
  freightStepFen: string;
  freeShipFen: string | null;
  status: Generated<'DRAFT' | 'PENDING_AUDIT' | 'REJECTED' | 'ENABLED' | 'PAUSED' | 'DISABLED'>;
  submittedBy: string | null;
  editorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderSupplierGoods {
  id: GeneratedAlways<string>;
  supplierId: string;
  medicineId: string;
  goodsCode: string;
  goodsName: string;
  supplyPriceFen: string;
  stockQty: number;
  reservedQty: Generated<number>;
  weightGram: number | null;
  onSale: boolean;
  stockSyncedAt: string;
  editorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface OrderSupplierPause {
  id: GeneratedAlways<string>;
  supplierId: string;
  fromAt: string;
  toAt: string;
  reason: string;
  creatorName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
}

export interface OrderSupplierRegion {
  supplierId: string;
  adcode: string;
  excluded: boolean;
}

export interface OrderTables {
  orderShield: OrderShield;
  orderShieldValue: OrderShieldValue;
  orderSupplier: OrderSupplier;
  orderSupplierGoods: OrderSupplierGoods;
  orderSupplierPause: OrderSupplierPause;
  orderSupplierRegion: OrderSupplierRegion;
}
