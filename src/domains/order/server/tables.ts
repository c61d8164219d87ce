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

export interface OrderTables {
  orderShield: OrderShield;
  orderShieldValue: OrderShieldValue;
}
