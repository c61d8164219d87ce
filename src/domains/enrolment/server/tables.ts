// Written by `npm run db:types` from the migrated database; do not edit.
import type { Generated, GeneratedAlways } from 'kysely';

export interface EnrolmentSpecialUser {
  id: GeneratedAlways<string>;
  personKey: string;
  name: string;
  mobileCipher: string | null;
  mobileHash: string | null;
  mobileMasked: string | null;
  idNoCipher: string | null;
  idNoHash: string | null;
  idNoMasked: string | null;
  markType: 'SKIP_REVIEW' | 'FORCE_RECHECK' | 'BLOCK' | 'WAIVE_FEE' | 'TEST';
  productIds: Generated<string[]>;
  startDate: string;
  endDate: string;
  reason: string;
  evidenceFileIds: Generated<string[]>;
  replacesId: string | null;
  state: Generated<'PENDING' | 'EFFECTIVE' | 'REJECTED' | 'REVOKED' | 'EXPIRED'>;
  opinion: string | null;
  hits: Generated<number>;
  makerId: string;
  makerName: string;
  checkerId: string | null;
  checkerName: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface EnrolmentTables {
  enrolmentSpecialUser: EnrolmentSpecialUser;
}
