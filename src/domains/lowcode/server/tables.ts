// Written by `npm run db:types` from the migrated database; do not edit.
import type { ColumnType, Generated, GeneratedAlways } from 'kysely';

export interface LowcodePage {
  id: GeneratedAlways<string>;
  token: string;
  title: string;
  description: Generated<string>;
  ownerDomain: string;
  builtin: Generated<boolean>;
  permission: string;
  trail: ColumnType<unknown, string | undefined, string>;
  leftMenu: Generated<'none' | 'corpus' | 'insurance'>;
  state: Generated<'NEW' | 'ONLINE' | 'OFFLINE' | 'REMOVED'>;
  publishedVersionId: string | null;
  draftVersionId: string | null;
  formerVersionId: string | null;
  publishedAt: string | null;
  health: Generated<'OK' | 'BROKEN'>;
  healthDetail: ColumnType<unknown, string | undefined, string>;
  lockedBy: string | null;
  lockedAt: string | null;
  lockReason: Generated<string>;
  removedAt: string | null;
  version: Generated<number>;
  createdAt: string;
  createdBy: string | null;
  updatedAt: string;
  updatedBy: string | null;
}

export interface LowcodePageVersion {
  id: GeneratedAlways<string>;
  pageId: string;
  versionNo: number;
  state: Generated<'DRAFT' | 'PUBLISHED' | 'ARCHIVED'>;
  definition: string;
  definitionHash: string;
  basedOnVersionId: string | null;
  origin: 'EDIT' | 'ROLLBACK' | 'RELEASE' | 'IMPORT';
  manifest: ColumnType<unknown, string | undefined, string>;
  checkResult: ColumnType<unknown, string | undefined, string>;
  errorCount: Generated<number>;
  rowVersion: Generated<number>;
  changeNote: string | null;
  editedBy: string | null;
  editedAt: string;
  publishedBy: string | null;
  publishedAt: string | null;
  archivedAt: string | null;
}

export interface LowcodePageView {
  pageId: string;
  day: string;
  views: Generated<number>;
  lastAt: string;
}

export interface LowcodeTables {
  lowcodePage: LowcodePage;
  lowcodePageVersion: LowcodePageVersion;
  lowcodePageView: LowcodePageView;
}
